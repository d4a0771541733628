import { eq, inArray, sql } from 'drizzle-orm'
import { secrets } from '../kit/app/tables.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { changed } from '../kit/live/live.ts'
import { describe, type Outcome, onAnyEnd } from '../kit/work/workflow.ts'
import { databases, databaseUsers } from './tables.ts'

describe('database.create', { title: 'Create database', doing: 'getting a database' })
describe('database.delete', { title: 'Delete database', doing: 'losing a database' })
describe('database.restore', { title: 'Restore database', doing: 'getting a database back' })
describe('database.password', { title: 'New database password', doing: 'getting a new database password' })

type Name = 'ensure' | 'remove' | 'restore'
type Change = Partial<typeof databases.$inferInsert> | undefined
const risen = { version: sql<number>`version + 1`, updatedAt: sql<string>`now()` }
const here = { status: 'active', deletedAt: null, deletedWithWebsite: false } as const

/** Is it in the trash because its website is? */
const goesWithSite = (kind: string) => kind === 'website.delete' || kind === 'website.restore'

/** What the end of a workflow makes of a database, by what it did to it. */
const made: Record<Name, Record<Outcome, Change>> = {
  ensure: {
    running: { status: 'creating' },
    failed: { status: 'failed' },
    done: here,
    'rolled-back': { status: 'deleted', deletedAt: sql`now()` as unknown as string },
  },
  remove: {
    running: undefined,
    failed: undefined,
    done: { status: 'deleted', deletedAt: sql`now()` as unknown as string },
    'rolled-back': here,
  },
  restore: {
    running: undefined,
    failed: { status: 'failed' },
    done: here,
    'rolled-back': { status: 'deleted', deletedAt: sql`now()` as unknown as string },
  },
}

interface Did {
  type: 'database' | 'database-user'
  id: number
  did: Name
}

/** Whatever workflow a database was in, its own or its website's: what was really done says what it is. */
onAnyEnd(async (tx, { id: workflowId, kind }, outcome) => {
  const found = await rows<Did>(
    tx,
    sql`select resource_type as type, resource_id as id, split_part(name, '.', 2) as did from actions
      where workflow_id = ${workflowId} and resource_type in ('database', 'database-user')
        and split_part(name, '.', 2) in ('ensure', 'remove', 'restore')
        and status ${outcome === 'done' ? sql`= 'done'` : sql`<> 'skipped'`}`,
  )
  for (const { type, id, did } of found)
    await (type === 'database' ? become(tx, id, kind, did, outcome) : becomeUser(tx, id, kind, did, outcome))
  if (found.length) await changed(tx, 'databases')
})

async function become(tx: Db, id: number, kind: string, did: Name, outcome: Outcome): Promise<void> {
  const change = made[did][outcome]
  if (!change) return
  const with_ = change.status === 'deleted' ? { deletedWithWebsite: goesWithSite(kind) } : {}
  await tx
    .update(databases)
    .set({ ...change, ...with_, ...risen })
    .where(eq(databases.id, id))
}

async function becomeUser(tx: Db, id: number, kind: string, did: Name, outcome: Outcome): Promise<void> {
  if (outcome !== 'done' && outcome !== 'rolled-back') return
  if (kind === 'database.password') return takeSecret(tx, id, outcome)
  // a switch of its website ensures it as well, and takes nothing away when it is rolled back
  const isNew = kind === 'database.create' || kind === 'website.create' || kind === 'website.stage'
  const gone = did === 'remove' ? outcome === 'done' : outcome === 'rolled-back' && (did === 'restore' || isNew)
  if (did === 'ensure' && !gone) return
  await tx
    .update(databaseUsers)
    .set({
      deletedAt: gone ? sql`now()` : null,
      deletedWithWebsite: gone && goesWithSite(kind),
      ...risen,
    })
    .where(eq(databaseUsers.id, id))
}

/** The new password is the one from now on, or was none. The other is forgotten. */
async function takeSecret(tx: Db, id: number, outcome: 'done' | 'rolled-back'): Promise<void> {
  const [user] = await tx.select().from(databaseUsers).where(eq(databaseUsers.id, id))
  if (!user?.nextSecret) return
  const [kept, forgotten] = outcome === 'done' ? [user.nextSecret, user.secret] : [user.secret, user.nextSecret]
  await tx
    .update(databaseUsers)
    .set({ secret: kept, nextSecret: null, ...risen })
    .where(eq(databaseUsers.id, id))
  await tx.delete(secrets).where(inArray(secrets.name, [forgotten]))
}
