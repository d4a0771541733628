import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { Keyring, WrongKey } from './keyring.ts'
import { lostOf } from './lostSecrets.ts'
import type { SecretKind } from './secretKinds.ts'
import { secretsUnder } from './secrets.ts'
import type { Settings } from './settings.ts'
import { encryptionKeys } from './tables.ts'

const BATCH = 500
/** Objects that are named for each kind; the rest is counted. */
const NAMED = 1000

/**
 * Goes on without a lost key: the present key becomes the key of the database, and every secret that it does not open is
 * marked as lost. Prints what has to be entered again, and tells people of the kinds that they enter. The lost values stay, encrypted, until they are replaced.
 */
export async function forgetSecrets(
  db: Db,
  { key }: Pick<Settings, 'key'>,
  kinds: readonly SecretKind[],
  say: (line: string) => void,
  notify: (db: Db, kinds: readonly SecretKind[]) => Promise<unknown> = async () => {},
): Promise<void> {
  const lost = await db.transaction(async (tx) => {
    const ring = new Keyring(key)
    const [row] = await tx.select().from(encryptionKeys).for('update')
    if (row) await tolerant(() => ring.learn(row))
    const count = await markLost(tx, ring)
    if (!count) return 0
    if (row) await tx.delete(encryptionKeys)
    await tx.insert(encryptionKeys).values({ proof: new Keyring(key).proof() })
    return count
  })
  if (!lost) {
    const [before] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from secrets where lost_at is not null`,
    )
    if (!before?.n) return say('The key opens every secret: nothing is lost.')
  }
  const secrets = secretsUnder(key)
  const entered: SecretKind[] = []
  for (const kind of kinds) {
    const found = await lostOf(db, kind, NAMED)
    if (!found.count) continue
    if (kind.renewed) {
      for (const name of await namesOf(db, kind)) await secrets.write(db, name, kind.renewed.make())
      if (kind.renewed.used) await db.execute(kind.renewed.used)
    }
    if (kind.marked) await db.execute(kind.marked)
    say(`\n${kind.what}: ${found.count}\n  ${kind.again}`)
    for (const { name } of found.objects) say(`  - ${name}`)
    const more = found.count - found.objects.length
    if (found.objects.length && more > 0) say(`  - and ${more} more`)
    if (kind.enter) entered.push(kind)
  }
  const known = sql.join(
    kinds.map(({ prefix }) => sql`starts_with(name, ${prefix})`),
    sql` or `,
  )
  const others = await rows<{ name: string }>(
    db,
    sql`select name from secrets where lost_at is not null and not (${known}) order by name limit ${NAMED}`,
  )
  for (const { name } of others) say(`\nThe secret ${name}`)
  await notify(db, entered)
  say('\nWhatever needs one of these says so until it is entered again. Other secrets are as before.')
}

/** The present key may be unrelated to the key of the database, which is then the lost one. */
async function tolerant(work: () => void): Promise<void> {
  try {
    work()
  } catch (error) {
    if (!(error instanceof WrongKey)) throw error
  }
}

async function markLost(tx: Db, ring: Keyring): Promise<number> {
  let [count, after] = [0, '']
  for (;;) {
    const batch = await rows<{ name: string; sealed: string }>(
      tx,
      sql`select name, sealed from secrets where name > ${after} and lost_at is null order by name limit ${BATCH}`,
    )
    const gone = batch.filter(({ name, sealed }) => ring.open(name, sealed) === undefined).map(({ name }) => name)
    if (gone.length)
      await tx.execute(sql`update secrets set lost_at = now() where name = any(${sql.param(gone)}::text[])`)
    count += gone.length
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) return count
    after = last.name
  }
}

const namesOf = async (db: Db, { prefix }: SecretKind): Promise<string[]> =>
  (
    await rows<{ name: string }>(
      db,
      sql`select name from secrets where lost_at is not null and starts_with(name, ${prefix})`,
    )
  ).map(({ name }) => name)
