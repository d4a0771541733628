import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import { WrongKey } from '../app/keyring.ts'
import { checkProgram, schemaOf, schemas, TooOld } from '../db/migrations.ts'

/** Parts of a node that have to be well before it gets requests: `ok`, or what is wrong, without names of places. */
export interface Readiness {
  ready: boolean
  parts: Record<'process' | 'database' | 'migrations' | 'key' | 'files', string>
}

type Place = Pick<App, 'database' | 'db' | 'secrets' | 'storage'>

const ANSWER_MS = 1_000
/** Anybody may ask, so that what rarely changes is kept for a moment. */
const KEPT_MS = 1_000
/** How long the answer of the file store is kept: a bucket costs money for each request. */
const FILES_MS = 15_000

/** Answers whether this node is ready. `stopping` says that the process takes no further work. */
export function openReadiness(app: Place, phase: () => 'starting' | 'running' | 'stopping'): () => Promise<Readiness> {
  const files = kept(FILES_MS, () => within(filesOf(app)))
  const stored = kept(KEPT_MS, () => Promise.all([within(migrationsOf(app)), within(keyOf(app))]))
  const look = async () => {
    const database = await within(databaseOf(app)) // asked each time: a balancer acts on the answer at once
    const unknown = 'unknown while the database is away'
    const [migrations, key] = database === 'ok' ? await stored() : [unknown, unknown]
    return { database, migrations, key, files: await files() }
  }
  return async () => {
    const now = phase()
    const parts = { process: now === 'running' ? 'ok' : now, ...(await look()) }
    return { ready: Object.values(parts).every((said) => said === 'ok'), parts }
  }
}

/** Repeats `look` when its answer is older than `ms`. Callers at the same time share one look. */
function kept<T>(ms: number, look: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY
  let answer: Promise<T> | undefined
  return () => {
    if (!answer || performance.now() - at > ms) {
      at = performance.now()
      answer = look()
    }
    return answer
  }
}

/** What the part says of itself; a part that throws or stays silent is not ready. */
const within = (part: Promise<string>): Promise<string> =>
  Promise.race([part.catch(() => 'failed'), sleep(ANSWER_MS, 'does not answer', { ref: false })])

/** The embedded database is in this process. */
async function databaseOf({ db, database: { kind, isAway } }: Place): Promise<string> {
  if (kind === 'embedded') return 'ok'
  if (isAway()) return 'cannot be reached'
  await db.execute(sql`select 1`)
  return 'ok'
}

async function migrationsOf({ db }: Place): Promise<string> {
  try {
    await checkProgram(db)
  } catch (error) {
    if (error instanceof TooOld) return 'the database needs a newer Innkeeper'
    throw error
  }
  return ((await schemaOf(db)) ?? 0) < (schemas().at(-1) ?? 0) ? 'the database lacks migrations' : 'ok'
}

async function keyOf({ db, secrets }: Place): Promise<string> {
  try {
    await secrets.currentKey(db)
    return 'ok'
  } catch (error) {
    if (error instanceof WrongKey) return 'the key is not the one of this database'
    throw error
  }
}

async function filesOf({ storage }: Place): Promise<string> {
  try {
    await storage.check()
    return 'ok'
  } catch {
    return 'the file store cannot be used'
  }
}
