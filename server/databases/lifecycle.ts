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

/** Whether the workflow moves the database together with its website. */
const goesWithSite = (kind: string) => kind === 'website.delete' || kind === 'website.restore'

/** Columns of a database by operation and outcome of the workflow. */
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

/** Updates databases and accounts by the actions of any ended workflow, their own or their website's. */
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
  // suspending and activating a website also ensure the account, but their rollback does not remove it
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

/** Keeps the new password if the workflow is done, else the old one, and deletes the other secret. */
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
