/** The entry of the link without any transport: the peer, its errors, limits and types, the codec. No Node import. */
export { parse } from './codec/parse.ts'
export type { ShapeLimits } from './codec/scan.ts'
export { type StringifyOptions, stringify } from './codec/stringify.ts'
export { LinkError, type LinkErrorCode, RemoteError } from './errors.ts'
export { memoryFiles } from './files/memory-files.ts'
export { DEFAULT_LIMITS, resolveLimits } from './limits.ts'
export { createPeer } from './peer.ts'
export type {
  CallOptions,
  CloseReason,
  FileStore,
  IncomingRequest,
  LinkFault,
  LinkLimits,
  PackageManifest,
  Peer,
  PeerOptions,
  RequestHandler,
  ServablePlugin,
  ServedPlugin,
  Transport,
  TransportEvents,
} from './types.ts'
