/** Seals secrets for the database with AES-256-GCM under a key file of the data folder (mode 0600). */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { HostError } from '../errors.ts'
import { readOrCreatePrivate } from './private-file.ts'

const VERSION = 's1'

export interface Sealer {
  /** `context` binds the secret to its place: a value moved to another row does not open. */
  seal(plain: string, context: string): string
  /** Throws HostError `invalid_config` when the text was changed, moved, or sealed under another key. */
  open(sealed: string, context: string): string
}

/** Uses `secret.key` of the folder, made at the first start; null folder: a key for this process only. */
export function createSealer(folder: string | null): Sealer {
  const master =
    folder === null
      ? randomBytes(32)
      : Buffer.from(
          readOrCreatePrivate(folder, 'secret.key', () => randomBytes(32).toString('base64')),
          'base64',
        )
  if (master.length !== 32) {
    throw new HostError(
      'invalid_config',
      'secret.key in the data folder is damaged: it must hold 32 bytes in base64. Restore it from your backup; without it the stored secrets cannot be read.',
    )
  }
  const key = Buffer.from(hkdfSync('sha256', master, '', 'runbound secrets v1', 32))
  return {
    seal(plain, context) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const raw = sealed.startsWith(`${VERSION}:`) ? Buffer.from(sealed.slice(VERSION.length + 1), 'base64url') : null
      if (raw === null || raw.length < 28) throw broken(context)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, raw.subarray(0, 12))
        decipher.setAAD(Buffer.from(context))
        decipher.setAuthTag(raw.subarray(12, 28))
        return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw broken(context, cause)
      }
    },
  }
}

function broken(context: string, cause?: unknown): HostError {
  return new HostError(
    'invalid_config',
    `the stored secret of ${context} cannot be read with this data folder's secret.key. Set it again, or restore the key that belongs to this database.`,
    { at: context, cause },
  )
}

/** What the database keeps of a token: enough to recognise it, useless to whoever reads the table. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** 32 random bytes as text for links, sessions and keys. */
export const randomToken = (): string => randomBytes(32).toString('base64url')
