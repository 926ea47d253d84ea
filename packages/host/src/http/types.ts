/** http/ holds thin routes over the rooms' public entries, and no business rules. */
import type { Logger } from '../logger.ts'

export interface HttpOptions {
  /** Default 127.0.0.1. */
  readonly hostname: string
  /** 0: any free one. */
  readonly port: number
  /** Further names under which this host is reached (a reverse proxy), as they stand in the Host header. */
  readonly allowedHosts?: readonly string[]
  /** Where people reach this host, such as `https://bots.example`, through a reverse proxy; absent: where it listens. */
  readonly publicUrl?: string
  /** Folder of the built console; absent: this host has none. */
  readonly console?: string
  readonly logger: Logger
}

export interface HttpServer {
  /** Where it listens. */
  readonly url: string
  /** Where people reach it: for links and cookies; without a trailing slash. */
  readonly publicUrl: string
  readonly port: number
  /** Stops listening, ends open connections. */
  stop(): Promise<void>
}
