import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { conflict, type Refusal } from '../http/errors.ts'
import { Keyring, WrongKey } from './keyring.ts'
import { encryptionKeys, secrets as table } from './tables.ts'

/**
 * Secrets at rest: AES-256-GCM under INNKEEPER_KEY. While npm run new-key exchanges the key, a node reads with both keys
 * and writes with the new one.
 */
export interface Secrets {
  /** Throws a 409 that says what to do if the secret was lost with its key. */
  read(db: Db, name: string): Promise<string | undefined>
  /** As `read`, but a lost secret is like none: for callers that go on without it. */
  readKept(db: Db, name: string): Promise<string | undefined>
  write(db: Db, name: string, value: string): Promise<void>
  /**
   * Reads the secret, or creates it with `make` if there is none or it was lost. Nodes that create it at the same time
   * all get the same value.
   */
  readOrMake(db: Db, name: string, make: () => string | Promise<string>): Promise<string>
  remove(db: Db, name: string): Promise<void>
  /** The key that encrypts what is written now. Throws WrongKey if this process has another one. */
  currentKey(db: Db): Promise<string>
}

/** `lost` words the refusal of a lost secret. */
export function secretsUnder(key: string, lost: (name: string) => string = lostText): Secrets {
  const ring = new Keyring(key)
  /** The stored proof of the key with which this process writes. */
  let proof: string | undefined

  async function learn(db: Db): Promise<void> {
    proof = undefined
    await db.insert(encryptionKeys).values({ proof: ring.proof() }).onConflictDoNothing()
    const [row] = await db.select().from(encryptionKeys)
    if (!row) throw new Error('the row of the key is gone')
    ring.learn(row)
    proof = row.proof
  }

  async function open(db: Db, name: string, sealed: string): Promise<string> {
    let value = ring.open(name, sealed)
    if (value === undefined) {
      await learn(db) // the key may have been exchanged
      value = ring.open(name, sealed)
    }
    if (value === undefined) throw new WrongKey(sealedOtherwise(name))
    return value
  }

  const rowOf = async (db: Db, name: string) => (await db.select().from(table).where(eq(table.name, name)))[0]
  const readKept = async (db: Db, name: string) => {
    const row = await rowOf(db, name)
    return row && row.lostAt === null ? open(db, name, row.sealed) : undefined
  }

  /** Writes under the current key: the lock on its row holds off an exchange until the transaction ends. */
  async function put(db: Db, name: string, value: string, over: 'any' | 'lost'): Promise<boolean> {
    if (proof === undefined) await learn(db)
    const found = await rows(
      db,
      sql`insert into secrets as s (name, sealed) select ${name}, ${ring.seal(name, value)}
          from (select from encryption_keys where proof = ${proof} for share) k
        on conflict (name) do update set sealed = excluded.sealed, lost_at = null
          where ${over === 'any'} or s.lost_at is not null returning 1`,
    )
    return found.length > 0
  }

  return {
    async read(db, name) {
      const row = await rowOf(db, name)
      if (row && row.lostAt !== null) throw lostSecret(lost(name))
      return row && open(db, name, row.sealed)
    },
    readKept,
    async write(db, name, value) {
      while (!(await put(db, name, value, 'any'))) await learn(db)
    },
    async readOrMake(db, name, make) {
      const known = await readKept(db, name)
      if (known !== undefined) return known
      const made = await make()
      for (;;) {
        await put(db, name, made, 'lost')
        const kept = await readKept(db, name)
        if (kept !== undefined) return kept
        await learn(db)
      }
    },
    async remove(db, name) {
      await db.delete(table).where(eq(table.name, name))
    },
    async currentKey(db) {
      await learn(db)
      return ring.current
    },
  }
}

const sealedOtherwise = (name: string): string =>
  `the secret ${name} cannot be decrypted: does INNKEEPER_KEY differ from the key that encrypted it?`

const lostText = (name: string): string => `The secret ${name} was lost with its key. Enter it again.`
const lostSecret = (message: string): Refusal => conflict(message)
