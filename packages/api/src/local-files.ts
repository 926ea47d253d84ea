/** Files of the data folder by which a command on the same machine finds the running host and may speak to it. */
import { z } from 'zod'

/** The API key of the cli (mode 0600), new at each start of the host. */
export const CLI_KEY_FILE = 'cli.key'

/** Where the host listens; written when it is ready, removed when it stops. A killed host leaves it behind. */
export const HOST_FILE = 'host.json'

/** Content of {@link HOST_FILE}; `started_at` in epoch milliseconds. */
export const HostFileSchema = z.object({
  url: z.url(),
  pid: z.int().positive(),
  version: z.string(),
  started_at: z.number(),
})
export type HostFile = z.output<typeof HostFileSchema>
