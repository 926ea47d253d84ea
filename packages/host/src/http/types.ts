/** http/ holds thin routes over the rooms' public entries, and no business rules. */
import type { Logger } from '../logger.ts'

export interface HttpOptions {
  /** Default 127.0.0.1. */
  readonly hostname: string
  /** 0: any free one. */
  readonly port: number
  /** Further names under which this host is reached (a reverse proxy), as they stand in the Host header. */
  readonly allowedHosts?: readonly string[]
  /** Folder of the built console; absent: this host has none. */
  readonly console?: string
  readonly logger: Logger
}

export interface HttpServer {
  readonly url: string
  readonly port: number
  /** Stops listening, ends open connections. */
  stop(): Promise<void>
}
