/** Small menus and dialogs: in the top layer, closed by Escape or a click outside, usable by keyboard. */
import { add, el, icon } from './dom.js'

/** @import { Child } from './dom.js' */
/** @typedef {{ label: string, icon?: Parameters<typeof icon>[0], face?: Node, run: () => void, danger?: boolean, checked?: boolean }} MenuItem */

/**
 * Opens a menu at a button.
 * @param {HTMLElement} anchor
 * @param {string} label
 * @param {readonly MenuItem[]} items
 */
export function openMenu(anchor, label, items) {
  const menu = el('div', { class: 'menu', attrs: { role: 'menu', 'aria-label': label } })
  for (const item of items) {
    const role = item.checked === undefined ? 'menuitem' : 'menuitemradio'
    const button = el(
      'button',
      {
        class: item.danger ? 'menu-item danger' : 'menu-item',
        attrs: {
          type: 'button',
          role,
          tabindex: -1,
          'aria-checked': item.checked === undefined ? null : String(item.checked),
        },
        on: {
          click: () => {
            close()
            item.run()
          },
        },
      },
      item.face ?? (item.icon && icon(item.icon)),
      el('span', {}, item.label),
    )
    if (item.checked) button.append(icon('check'))
    menu.append(button)
  }
  const close = openPopover(anchor, menu)
}

/**
 * Opens a row of things to choose from at a button.
 * @param {HTMLElement} anchor
 * @param {string} label
 * @param {readonly string[]} choices
 * @param {(choice: string) => void} choose
 */
export function openChoices(anchor, label, choices, choose) {
  const row = el('div', { class: 'choices', attrs: { role: 'menu', 'aria-label': label } })
  for (const choice of choices) {
    const pick = () => {
      close()
      choose(choice)
    }
    row.append(
      el(
        'button',
        {
          attrs: { type: 'button', role: 'menuitem', tabindex: -1, 'aria-label': `React with ${choice}` },
          on: { click: pick },
        },
        choice,
      ),
    )
  }
  const close = openPopover(anchor, row)
}

/**
 * @param {HTMLElement} anchor
 * @param {HTMLElement} content
 * @returns {() => void} Closes it and gives the focus back.
 */
function openPopover(anchor, content) {
  content.setAttribute('popover', 'auto')
  content.classList.add('popover')
  document.body.append(content)
  content.showPopover()
  place(anchor, content)
  anchor.setAttribute('aria-expanded', 'true')
  const items = [...content.querySelectorAll('button')]
  items[0]?.focus()
  content.addEventListener('keydown', (event) => {
    const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement))
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    items[(at + step + items.length) % items.length]?.focus()
  })
  content.addEventListener('toggle', (event) => {
    if (!(event instanceof ToggleEvent) || event.newState !== 'closed') return
    const hadFocus = content.contains(document.activeElement) || document.activeElement === document.body
    content.remove()
    anchor.removeAttribute('aria-expanded')
    if (hadFocus && anchor.isConnected) anchor.focus()
  })
  return () => content.hidePopover()
}

/**
 * Below the anchor if there is room, else above; never outside the window.
 * @param {HTMLElement} anchor
 * @param {HTMLElement} content
 */
function place(anchor, content) {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = content
  const below = at.bottom + 4 + height <= window.innerHeight
  const top = below ? at.bottom + 4 : Math.max(8, at.top - 4 - height)
  const wanted = at.left + at.right < window.innerWidth ? at.left : at.right - width
  const left = Math.min(Math.max(8, wanted), window.innerWidth - width - 8)
  content.style.top = `${top}px`
  content.style.left = `${left}px`
}

/**
 * A dialog with a form. Resolves with the form's data, or null if it was left.
 * @param {string} title
 * @param {readonly Child[]} fields
 * @param {string} action
 * @returns {Promise<FormData | null>}
 */
export function askForm(title, fields, action) {
  return new Promise((resolve) => {
    const cancel = el(
      'button',
      { class: 'button', attrs: { type: 'button' }, on: { click: () => dialog.close() } },
      'Cancel',
    )
    const submit = el('button', { class: 'button primary', attrs: { type: 'submit' } }, action)
    const form = el(
      'form',
      { attrs: { method: 'dialog' } },
      el('h2', { attrs: { id: 'dialog-title' } }, title),
      ...fields,
    )
    form.append(el('div', { class: 'dialog-actions' }, cancel, submit))
    const dialog = el('dialog', { class: 'dialog', attrs: { 'aria-labelledby': 'dialog-title' } }, form)
    /** @type {FormData | null} */
    let data = null
    form.addEventListener('submit', () => {
      data = new FormData(form)
    })
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(data)
    })
    document.body.append(dialog)
    dialog.showModal()
  })
}

/**
 * Asks once before something that can't be taken back.
 * @param {string} title
 * @param {string} text
 * @param {string} action
 */
export async function confirmStep(title, text, action) {
  return (await askForm(title, [el('p', {}, text)], action)) !== null
}

/**
 * Shows a picture large.
 * @param {string} src
 * @param {string} name
 */
export function openPicture(src, name) {
  const close = el(
    'button',
    { class: 'button', attrs: { type: 'button' }, on: { click: () => dialog.close() } },
    'Close',
  )
  const save = el(
    'a',
    { class: 'button', attrs: { href: `${src}?download`, download: name } },
    icon('download'),
    'Save',
  )
  const dialog = el('dialog', { class: 'dialog picture', attrs: { 'aria-label': name } })
  add(dialog, [
    el('img', { attrs: { src, alt: name } }),
    el('div', { class: 'dialog-actions' }, el('span', { class: 'picture-name' }, name), save, close),
  ])
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/**
 * A field with its label, for forms.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [help]
 */
export function field(label, control, help) {
  const id = `field-${Math.random().toString(36).slice(2)}`
  control.id = id
  if (help) control.setAttribute('aria-describedby', `${id}-help`)
  return el(
    'div',
    { class: 'field' },
    el('label', { attrs: { for: id } }, label),
    control,
    help && el('p', { class: 'help', attrs: { id: `${id}-help` } }, help),
  )
}
