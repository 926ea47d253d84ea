/** Every limit of the web chat, by name. Each has a hostile test; error frames quote the name and the number. */

const KIB = 1024
const MIB = 1024 * KIB

export const LIMITS = {
  /** Longest text of one message, in UTF-16 units. */
  maxText: 20_000,
  /** Most attachments of one message. */
  maxAttachments: 10,
  /** Largest single file, in bytes; also the most that all files of one message may have together. */
  maxFileBytes: 8 * MIB,
  /** Largest file that may travel inside a frame as a data URL, in bytes. Larger ones go through `POST files`. */
  maxInlineBytes: 512 * KIB,
  /** Longest client frame, in UTF-16 units. */
  maxFrame: 2 * MIB,
  /** Client frames per second of one connection, and how many may come at once. */
  framesPerSecond: 50,
  frameBurst: 200,
  /** Connections of one bot at the same time. */
  maxSockets: 64,
  /** Longest name of a person or group, and longest description, in UTF-16 units. */
  maxName: 64,
  maxDescription: 500,
  /** Longest label of a file, in UTF-16 units. Longer names are cut, never refused. */
  maxFileName: 120,
  maxPeople: 200,
  maxGroups: 100,
  /** Longest reaction, and most different ones on one message. */
  maxReaction: 32,
  maxReactionsPerMessage: 20,
  /** Longest JSON of `platform.specific`, in UTF-16 units. */
  maxEventData: 32 * KIB,
  /** Messages of one history answer. */
  historyPage: 100,
  /** What is kept: newest messages of a chat and of all chats, command results, refused events. */
  keepMessagesPerChat: 2_000,
  keepMessages: 20_000,
  keepCommands: 20_000,
  keepRefused: 200,
  /** Delivery keys that `outcome` knows. If a young one had to go, unknown keys answer `unknown`, not `not_sent`. */
  keepDeliveries: 50_000,
  /** The log is rewritten when it is larger than this and than twice its last rewritten size, in bytes. */
  compactBytes: 16 * MIB,
  /** All files of one bot together, in bytes. */
  maxFolderBytes: 512 * MIB,
  /** Files that no message uses are removed after this time, in milliseconds. */
  orphanFileMs: 60 * 60 * 1000,
} as const

export type Limits = { readonly [K in keyof typeof LIMITS]: number }
