import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/db.ts'
import { secrets as table } from './tables.ts'

/**
 * Secrets at rest: AES-256-GCM under INNKEEPER_KEY. The name is additional data, so that ciphertexts of two rows cannot
 * be exchanged.
 */
export interface Secrets {
  /** Decrypts the stored text of a secret. */
  open(name: string, sealed: string): string
  read(db: Db, name: string): Promise<string | undefined>
  write(db: Db, name: string, value: string): Promise<void>
  /** Reads the secret, or creates it with `make`. Nodes that create it at the same time all get the same value. */
  readOrMake(db: Db, name: string, make: () => string | Promise<string>): Promise<string>
  remove(db: Db, name: string): Promise<void>
}

export function secretsUnder(key: string): Secrets {
  const aes = Buffer.from(hkdfSync('sha256', key, '', 'innkeeper secrets', 32))

  function seal(name: string, value: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', aes, iv).setAAD(Buffer.from(name))
    const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
  }
  function open(name: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const cipher = createDecipheriv('aes-256-gcm', aes, bytes.subarray(0, 12)).setAAD(Buffer.from(name))
    cipher.setAuthTag(bytes.subarray(12, 28))
    try {
      return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
    } catch {
      throw new Error(
        `the secret ${name} cannot be decrypted: does INNKEEPER_KEY differ from the key that encrypted it?`,
      )
    }
  }

  const read: Secrets['read'] = async (db, name) => {
    const [row] = await db.select().from(table).where(eq(table.name, name))
    return row && open(name, row.sealed)
  }
  return {
    open,
    read,
    async write(db, name, value) {
      const sealed = seal(name, value)
      await db.insert(table).values({ name, sealed }).onConflictDoUpdate({ target: table.name, set: { sealed } })
    },
    async readOrMake(db, name, make) {
      const known = await read(db, name)
      if (known !== undefined) return known
      await db
        .insert(table)
        .values({ name, sealed: seal(name, await make()) })
        .onConflictDoNothing()
      return (await read(db, name))!
    },
    async remove(db, name) {
      await db.delete(table).where(eq(table.name, name))
    },
  }
}
