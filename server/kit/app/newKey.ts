import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { listenerName } from '../db/driver/listening.ts'
import { writeKeyFile } from './keyFile.ts'
import { Keyring, nameOfKey } from './keyring.ts'
import { commandLine } from './serverFolder.ts'
import type { Settings } from './settings.ts'
import { type EncryptionKeys, encryptionKeys } from './tables.ts'

type Say = (line: string) => void
type KeySettings = Pick<Settings, 'key' | 'keyFile' | 'embedded'>

const BATCH = 500
/** Batches between two lines of progress. */
const SAY_EACH = 10
/** Pause before the secrets that others were writing are tried again. */
const BUSY_MS = 200
/** Length of a key; shorter keys of INNKEEPER_KEY are refused too. */
const SHORTEST = 16

/** The row of the current key; a new installation gets it with its first secret. */
async function keysOf(db: Db, ring: Keyring): Promise<EncryptionKeys> {
  await db.insert(encryptionKeys).values({ proof: ring.proof() }).onConflictDoNothing()
  const [row] = await db.select().from(encryptionKeys)
  if (!row) throw new Error('the row of the key is gone')
  return row
}

/**
 * Exchanges the key while nodes run: makes the new key known to them in the database, encrypted under the former one,
 * encrypts every secret again, and ends the former key once no configuration has it. Each call goes on where the last
 * one stopped. `file` has the new key, or gets it.
 */
export async function exchangeKey(db: Db, settings: KeySettings, file: string | undefined, say: Say): Promise<void> {
  const { key, keyFile } = settings
  const ring = new Keyring(key)
  const before = await keysOf(db, ring)
  ring.learn(before)
  if (before.next === null) {
    if (!keyFile && !file)
      throw new Error(
        `Name a file: ${commandLine('new-key', 'FILE')}. The new key is read from FILE, or made and written there.`,
      )
    const next = file ? keyIn(file) : makeKey()
    if (next === ring.current) throw new Error(`${file} has the present key`)
    const begun = await rows(
      db,
      sql`update encryption_keys set ${assigned(ring.exchangeFor(next))}, since = now() where proof = ${before.proof} returning 1`,
    )
    if (!begun.length) throw new Error('Another exchange has just begun. Run the command again.')
    ring.learn(await keysOf(db, ring))
    say('Every node now reads with both keys and writes with the new one.')
  } else if (file && existsSync(file) && readKey(file) !== ring.current)
    throw new Error(`Another exchange is under way, and ${file} has not its key. Name its file, or no file.`)
  const unreadable = await encryptAgain(db, ring, say)
  for (const name of unreadable.slice(0, 100)) say(`Neither key opens ${name}: it stays as it is.`)
  if (keyFile) {
    if (key !== ring.current) replaceKey(keyFile, ring.current, key, say)
    settings.key = ring.current // of the running Innkeeper
  } else if (key !== ring.current) {
    if (file && !existsSync(file)) writeKeyFile(file, ring.current)
    say(
      `Set INNKEEPER_KEY to ${file ? `the content of ${file}` : 'the new key'} on each node and start the nodes again, one after the other.`,
    )
    say(`Then run ${commandLine('new-key')} with the new INNKEEPER_KEY: this ends the former key.`)
    return
  }
  if (!settings.embedded) await expectNoNodeUnder(db, ring.others)
  await db.execute(sql`update encryption_keys set next = null, former = null`)
  say('Done: the former key is no longer valid. Backups from before need it still.')
}

/** Encrypts all secrets under the current key. Returns the names of those that no known key opens. */
async function encryptAgain(db: Db, ring: Keyring, say: Say): Promise<string[]> {
  let changed = 0
  for (;;) {
    const pass = await encryptOnce(db, ring, say)
    changed += pass.changed
    if (!pass.busy) {
      say(`${pass.seen} secrets, of which ${changed} were encrypted again`)
      return pass.unreadable
    }
    await sleep(BUSY_MS)
  }
}

/** One pass over all secrets. It leaves out the rows that others are writing at the moment. */
async function encryptOnce(db: Db, ring: Keyring, say: Say) {
  const [all] = await rows<{ n: number }>(db, sql`select count(*)::float8 as n from secrets where lost_at is null`)
  const unreadable: string[] = []
  let [seen, changed, busy, after] = [0, 0, 0, '']
  for (let batches = 1; ; batches++) {
    const batch = await rows<{ name: string; sealed: string }>(
      db,
      sql`select name, sealed from secrets where name > ${after} and lost_at is null order by name limit ${BATCH}`,
    )
    const again: [string, string, string][] = []
    for (const { name, sealed } of batch) {
      if (ring.isUnderCurrent(name, sealed)) continue
      const value = ring.open(name, sealed)
      if (value === undefined) unreadable.push(name)
      else again.push([name, sealed, ring.seal(name, value)])
    }
    if (again.length) {
      // without waiting for locks, so that no other transaction meets a deadlock
      const done = await rows(
        db,
        sql`with free as (select name, sealed from secrets
              where name = any(${sql.param(again.map(([name]) => name))}::text[]) for update skip locked),
            r as (select line->>0 as name, line->>1 as was, line->>2 as sealed
              from jsonb_array_elements(${JSON.stringify(again)}::jsonb) line)
          update secrets s set sealed = r.sealed from r join free on free.name = r.name and free.sealed = r.was
          where s.name = r.name and s.name = any(${sql.param(again.map(([name]) => name))}::text[]) returning 1`,
      )
      changed += done.length
      busy += again.length - done.length
    }
    seen += batch.length
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) return { seen, changed, busy, unreadable }
    after = last.name
    if (batches % SAY_EACH === 0) say(`${seen} of ${all?.n ?? 0} secrets`)
  }
}

/** Nodes show the name of the key in their settings as the name of their connection. */
async function expectNoNodeUnder(db: Db, former: string[]): Promise<void> {
  const names = former.map((key) => listenerName(nameOfKey(key)))
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = any(${sql.param(names)}::text[])`,
  )
  if (found?.n)
    throw new Error(
      `${found.n} running ${found.n === 1 ? 'node has' : 'nodes have'} the former key in INNKEEPER_KEY. Start each again with the new key, then run ${commandLine('new-key')} again.`,
    )
}

const makeKey = () => randomBytes(32).toString('base64url')

function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < SHORTEST) throw new Error(`${file} has no key of at least ${SHORTEST} characters`)
  return key
}

/** The key in a file, which is made with a new key if it does not exist. */
function keyIn(file: string): string {
  if (!existsSync(file)) writeKeyFile(file, makeKey())
  return readKey(file)
}

function replaceKey(file: string, key: string, former: string, say: Say): void {
  const kept = `${file}.former-${nameOfKey(former)}`
  if (!existsSync(kept)) writeKeyFile(kept, former)
  writeKeyFile(file, key)
  say(`${file} has the new key, and ${kept} the former one: keep it elsewhere as long as a backup needs it.`)
}

const assigned = (row: Record<'proof' | 'formerProof' | 'next' | 'former', string>) =>
  sql`proof = ${row.proof}, former_proof = ${row.formerProof}, next = ${row.next}, former = ${row.former}`
