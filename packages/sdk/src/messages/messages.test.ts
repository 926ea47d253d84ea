/** Builders make whole components in the spelling of the wire; text forms follow the documents. */
import { MessageChainSchema } from '@runbound/protocol/schemas'
import { expect, test } from 'vitest'
import {
  at,
  atAll,
  chain,
  chainText,
  face,
  file,
  forward,
  image,
  type MessageComponentInput,
  quote,
  SdkError,
  text,
  voice,
} from '../index.ts'
import { contentMessage } from './as-message.ts'

const picture = 'data:image/png;base64,AA=='

test('every builder makes a component that its schema leaves as it is', () => {
  const all = chain(
    text('hi'),
    at(5),
    at('u', { display: 'Ann' }),
    atAll(),
    image({ url: 'https://e.org/a.png' }),
    image({ base64: picture }),
    voice({ url: 'https://e.org/a.mp3', length: 3 }),
    file({ url: 'https://e.org/a.txt', name: 'a.txt', size: 12 }),
    quote(['earlier'], { id: 'm-0' }),
    face(3, { face_type: 'dice' }),
    forward([{ sender_id: 5, sender_name: 'Ann', message_chain: ['hi'], message_id: 7 }], { title: 'Chat' }),
  )
  expect(MessageChainSchema.parse(all)).toEqual(all)
})

test('chain() fills in documented defaults, also of components that it did not make', () => {
  const parts: MessageComponentInput[] = [
    { type: 'Quote', origin: [] },
    { type: 'Image', url: undefined },
    { type: 'Forward' },
    { type: 'File' },
    { type: 'Voice' },
    { type: 'Face' },
    { type: 'Unknown' },
    { type: 'WeChatLink' },
    { type: 'WeChatFile' },
    { type: 'WeChatMiniPrograms', mini_app_id: 'm', user_name: 'u' },
    { type: 'WeChatForwardMiniPrograms', xml_data: '<x/>' },
  ]
  expect(chain(...parts)).toEqual(MessageChainSchema.parse(parts.map((part) => ({ ...part, url: undefined }))))
  const [one, two] = [chain({ type: 'Forward' })[0], chain({ type: 'Forward' })[0]]
  expect(one).not.toBe(two)
})

test('a Source inside a forwarded message is left out', () => {
  const made = forward([{ message_chain: [{ type: 'Source', id: 1, timestamp: 2 }, 'hi'] }])
  expect(made.node_list[0]?.message_chain).toEqual([{ type: 'Plain', text: 'hi' }])
})

test.each([
  ['neither', () => image({} as never)],
  ['both', () => voice({ url: 'https://e.org', base64: picture } as never)],
  ['a bare base64', () => file({ base64: 'AA==', name: 'a' })],
])('media with %s source: SdkError', (_what, make) => {
  expect(make).toThrow(SdkError)
})

test('chainText joins the text forms', () => {
  const source = { type: 'Source', id: 1, timestamp: 2 } as const
  const all = chain(
    source,
    text('a '),
    at(5),
    at('u', { display: 'Ann' }),
    atAll(),
    image({ base64: picture }),
    file({ url: 'https://e.org', name: 'b.txt' }),
    forward([]),
  )
  expect(chainText(all)).toBe('a @5@Ann@All[Image][File]b.txt[Chat history]')
})

test('a chain that is given back: texts join, pictures and files are parts, the rest is refused', () => {
  const parts = [
    text('see '),
    at(5),
    image({ url: 'https://e.org/a.png' }),
    image({ base64: picture }),
    file({ base64: picture, name: 'a' }),
  ]
  expect(contentMessage(chain({ type: 'Source', id: 1, timestamp: 2 }, ...parts)).content).toMatchObject([
    { type: 'text', text: 'see @5' },
    { type: 'image_url', image_url: { url: 'https://e.org/a.png' } },
    { type: 'image_base64', image_base64: picture },
    { type: 'file_base64', file_base64: picture, file_name: 'a' },
  ])
  expect(() => contentMessage([voice({ url: 'https://e.org' })])).toThrow('ctx.reply')
  expect(() => contentMessage([{ type: 'Image', path: '/tmp/a.png' }])).toThrow('Image')
})
