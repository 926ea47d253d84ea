/** The log as the rooms see it; telemetry/ makes it (pino, secrets removed). */
export interface Logger {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
  child(bindings: object): Logger
}
