/** The documented defaults of component fields, so that a chain travels with all its fields (entities.md §2.1). */
import type { MessageComponent, MessageComponentInput, MessageComponentType } from '@runbound/protocol'

const DEFAULTS: { readonly [T in MessageComponentType]: Partial<Extract<MessageComponent, { type: T }>> } = {
  Source: {},
  Plain: {},
  Quote: { id: null, group_id: null, sender_id: null, target_id: null },
  At: { display: '' },
  AtAll: {},
  Image: { image_id: '', url: '', path: '', base64: '' },
  Unknown: { text: '' },
  Voice: { voice_id: '', url: '', path: '', base64: '', length: 0 },
  Forward: {
    display: {
      title: 'Chat history of the group',
      brief: '[Chat history]',
      source: 'Chat history',
      preview: [],
      summary: 'View x forwarded messages',
    },
    node_list: [],
  },
  File: { id: '', name: '', size: 0, url: '', path: '', base64: '' },
  Face: { face_type: 'face', face_id: 0, face_name: '' },
  WeChatMiniPrograms: { display_name: '', page_path: '', title: '', image_url: '' },
  WeChatForwardMiniPrograms: { image_url: null },
  WeChatEmoji: {},
  WeChatLink: { link_title: '', link_desc: '', link_url: '', link_thumb_url: '' },
  WeChatForwardLink: {},
  WeChatForwardImage: {},
  WeChatForwardFile: {},
  WeChatAppMsg: {},
  WeChatForwardQuote: {},
  WeChatFile: { file_id: '', file_name: '', file_size: 0, file_path: '', file_base64: '' },
}

/** Gives the component with every field; what the author left out or undefined gets its default. */
export function complete(part: MessageComponentInput): MessageComponent {
  const given = Object.entries(part).filter(([, value]) => value !== undefined)
  // The input type demands what has no default, so defaults and given fields together are a whole component.
  return { type: part.type, ...structuredClone(DEFAULTS[part.type]), ...Object.fromEntries(given) } as MessageComponent
}
