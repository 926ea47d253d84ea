/** Passwords at rest: scrypt with a salt of each, compared in constant time. Few are worked on at once: each needs 32 MiB. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { HostError } from '../errors.ts'

const COST = { N: 2 ** 15, r: 8, p: 1 } as const
const KEY_BYTES = 32
const SALT_BYTES = 16
const SHAPE = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/
const AT_ONCE = 2
/** Further ones that wait; with 0.1 s each the last one waits about a second. */
const WAITING_MOST = 20
const BUSY_SECONDS = 2

/** What the database keeps of a password. HostError `busy` while too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, COST, KEY_BYTES)
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/**
 * True for the right password. A null hash (no such account, no password) takes as long as a wrong password, so that the
 * time tells nothing. HostError `busy` while too many wait.
 */
export async function checkPassword(hash: string | null, password: string): Promise<boolean> {
  const parts = SHAPE.exec(hash ?? (await unmatched()))
  if (parts === null) return false
  const [N, r, p] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const stored = Buffer.from(parts[5] ?? '', 'base64url')
  const given = await derive(password, Buffer.from(parts[4] ?? '', 'base64url'), { N, r, p }, stored.length)
  return timingSafeEqual(stored, given) && hash !== null
}

let nobody: Promise<string> | undefined

/** A hash that no password is known for. */
function unmatched(): Promise<string> {
  nobody ??= hashPassword(randomBytes(KEY_BYTES).toString('base64url')).catch((error: unknown) => {
    nobody = undefined // the next one tries again
    throw error
  })
  return nobody
}

let working = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, cost: ScryptOptions, bytes: number): Promise<Buffer> {
  if (working < AT_ONCE) working += 1
  else if (waiting.length < WAITING_MOST) await new Promise<void>((resolve) => waiting.push(resolve))
  else
    throw new HostError('busy', `Too many passwords are being checked. Try again in ${BUSY_SECONDS} seconds.`, {
      retryAfterSeconds: BUSY_SECONDS,
    })
  try {
    return await new Promise((resolve, reject) =>
      scrypt(password.normalize('NFKC'), salt, bytes, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, key) =>
        error === null ? resolve(key) : reject(error),
      ),
    )
  } finally {
    // The place is handed over as it is: who comes in between finds no place free.
    const next = waiting.shift()
    if (next === undefined) working -= 1
    else next()
  }
}
