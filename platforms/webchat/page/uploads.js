/** Files on their way to the server: chosen, dropped or pasted; each with its progress, its failure and a way out. */
import { el, fill, icon, iconButton } from './dom.js'
import { sizeText } from './message.js'

/** @import { StoredFile } from '../src/model.ts' */
/** @import { Limits } from '../src/limits.ts' */
/**
 * @typedef {object} Upload
 * @property {string} name
 * @property {number} size
 * @property {string | null} preview Address of a picture in this page.
 * @property {number} progress From 0 to 1.
 * @property {StoredFile | null} file Set once the server has it.
 * @property {string | null} failure
 * @property {File} source
 * @property {() => void} cancel
 */

export class Uploads {
  /** @type {Upload[]} */
  list = []

  /**
   * @param {HTMLElement} node
   * @param {{ limits: () => Limits | undefined, changed: () => void }} options
   */
  constructor(node, options) {
    this.node = node
    this.options = options
  }

  get ready() {
    return this.list.every(({ file }) => file !== null)
  }

  get files() {
    return this.list.flatMap(({ file }) => (file === null ? [] : [file]))
  }

  /** @param {Iterable<File>} files */
  add(files) {
    const limits = this.options.limits()
    for (const source of files) {
      /** @type {Upload} */
      const upload = {
        name: source.name || 'pasted',
        size: source.size,
        preview: null,
        progress: 0,
        file: null,
        failure: null,
        source,
        cancel: () => {},
      }
      if (/^image\/(png|jpeg|gif|webp)$/.test(source.type)) upload.preview = URL.createObjectURL(source)
      this.list.push(upload)
      if (limits && this.list.length > limits.maxAttachments)
        upload.failure = `A message may have ${limits.maxAttachments} files.`
      else if (limits && source.size > limits.maxFileBytes)
        upload.failure = `A file may have ${sizeText(limits.maxFileBytes)}.`
      else if (source.size === 0) upload.failure = 'The file is empty.'
      else this.#start(upload)
    }
    this.render()
  }

  clear() {
    for (const { preview } of this.list) if (preview) URL.revokeObjectURL(preview)
    this.list = []
    this.render()
  }

  render() {
    const nodes = this.list.map((upload) => {
      const remove = iconButton('close', `Remove ${upload.name}`, () => this.#remove(upload))
      const state =
        upload.failure ?? (upload.file === null ? `${Math.round(upload.progress * 100)} %` : sizeText(upload.size))
      const retry =
        upload.failure !== null &&
        upload.source.size > 0 &&
        el(
          'button',
          { class: 'link-button', attrs: { type: 'button' }, on: { click: () => this.#retry(upload) } },
          'Try again',
        )
      const picture = upload.preview === null ? icon('file') : el('img', { attrs: { src: upload.preview, alt: '' } })
      const text = el(
        'span',
        { class: 'file-text' },
        el('span', { class: 'file-name' }, upload.name),
        el('span', { class: upload.failure ? 'file-size failed' : 'file-size' }, state),
      )
      const bar = el('progress', {
        attrs: {
          max: 1,
          value: upload.progress,
          'aria-label': `Upload of ${upload.name}`,
          hidden: upload.file !== null || upload.failure !== null,
        },
      })
      return el('li', { class: 'upload' }, picture, text, retry, remove, bar)
    })
    this.node.hidden = nodes.length === 0
    fill(this.node, ...nodes)
    this.options.changed()
  }

  /** @param {Upload} upload */
  #start(upload) {
    // fetch can't tell how far an upload is.
    const request = new XMLHttpRequest()
    request.open('POST', new URL('files', document.baseURI))
    request.setRequestHeader('x-file-name', encodeURIComponent(upload.name.toWellFormed()))
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    const fail = (/** @type {string} */ text) => {
      upload.failure = text
      this.render()
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      upload.progress = total === 0 ? 0 : loaded / total
      this.render()
    })
    request.addEventListener('load', () => {
      if (request.status !== 201) return fail(request.response?.message ?? `The server answered ${request.status}.`)
      upload.file = request.response
      this.render()
    })
    request.addEventListener('error', () => fail('The server can not be reached.'))
    upload.cancel = () => request.abort()
    request.send(upload.source)
  }

  /** @param {Upload} upload */
  #retry(upload) {
    upload.failure = null
    upload.progress = 0
    const limits = this.options.limits()
    if (limits && this.list.indexOf(upload) >= limits.maxAttachments)
      upload.failure = `A message may have ${limits.maxAttachments} files.`
    else this.#start(upload)
    this.render()
  }

  /** @param {Upload} upload */
  #remove(upload) {
    upload.cancel()
    if (upload.preview) URL.revokeObjectURL(upload.preview)
    this.list = this.list.filter((one) => one !== upload)
    this.render()
  }
}
