import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { neverBegun } from '../../kit/work/neverBegun.ts'
import { describe, type Outcome, onEnd, onEndTouching } from '../../kit/work/workflow.ts'
import { opensAgain } from '../websites/closed.ts'
import { databaseGrants, databases, databaseUsers } from './tables.ts'

type Name = 'ensure' | 'remove' | 'restore'
type Change = Partial<typeof databases.$inferInsert> | undefined
const nextVersion = { version: sql<number>`version + 1`, updatedAt: sql<string>`now()` }
const here = { status: 'active', deletedAt: null, deletedWithWebsite: false, next: null } as const

/** Whether the workflow moves the database together with its website. */
const goesWithSite = (kind: string) => kind === 'website.delete' || kind === 'website.restore'

/** The values that a database row takes, by operation and outcome of the workflow. */
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

async function become(tx: Db, id: number, kind: string, did: Name, outcome: Outcome): Promise<void> {
  const change = made[did][outcome]
  if (!change) return
  const with_ = change.status === 'deleted' ? { deletedWithWebsite: goesWithSite(kind) } : {}
  await tx
    .update(databases)
    .set({ ...change, ...with_, ...nextVersion })
    .where(eq(databases.id, id))
}

/** Kinds whose `database-user.ensure` creates the account. Others change an account that exists. */
const creating = ['database.create', 'database-user.create', 'website.create', 'website.stage', 'archive-import.run']

async function becomeUser(tx: Db, id: number, kind: string, did: Name, outcome: Outcome): Promise<void> {
  const ended = outcome === 'done' || outcome === 'rolled-back'
  if (kind === 'database.password') return ended ? takeSecret(tx, id, outcome) : undefined
  const makes = did === 'restore' || (did === 'ensure' && creating.includes(kind))
  if (!ended) {
    if (makes)
      await tx
        .update(databaseUsers)
        .set({ status: outcome === 'failed' ? 'failed' : 'creating' })
        .where(eq(databaseUsers.id, id))
    return
  }
  const gone = did === 'remove' ? outcome === 'done' : outcome === 'rolled-back' && makes
  if (did === 'ensure' && !makes) return
  await tx
    .update(databaseUsers)
    .set({
      status: 'active',
      next: null,
      deletedAt: gone ? sql`now()` : null,
      deletedWithWebsite: gone && goesWithSite(kind),
      ...nextVersion,
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
    .set({ secret: kept, nextSecret: null, ...nextVersion })
    .where(eq(databaseUsers.id, id))
  await tx.delete(secrets).where(inArray(secrets.name, [forgotten]))
}

/** Declares the workflows of this file, for domain.ts. */
export function databaseWorkflows(): void {
  describe('database.create', { title: 'Create database', doing: 'getting a database', queues: true })
  describe('database.delete', { title: 'Delete database', doing: 'losing a database', letsQueue: true })
  describe('database.restore', { title: 'Restore database', doing: 'getting a database back', letsQueue: true })
  describe('database.change', { title: 'Change database', doing: 'getting a changed database', stopsHalfway: true })
  opensAgain('database.change')
  describe('database-user.create', {
    title: 'Create database account',
    doing: 'getting a database account',
    queues: true,
  })
  describe('database-user.change', {
    title: 'Change database account',
    doing: 'getting a changed database account',
    stopsHalfway: true,
  })

  describe('database-user.delete', { title: 'Delete database account', doing: 'losing a database account' })
  describe('database-user.restore', {
    title: 'Restore database account',
    doing: 'getting a database account back',
    letsQueue: true,
  })
  describe('database.password', {
    title: 'New database password',
    doing: 'getting a new database password',
    stopsHalfway: true,
  })

  /** Updates databases and accounts by the actions of any ended workflow, their own or their website's. */
  onEndTouching(['database', 'database-user'], async (tx, { id: workflowId, kind }, outcome) => {
    const found = await rows<Did>(
      tx,
      sql`select resource_type as type, resource_id as id, split_part(name, '.', 2) as did from actions
      where workflow_id = ${workflowId} and resource_type in ('database', 'database-user')
        and split_part(name, '.', 2) in ('ensure', 'remove', 'restore')
        and ${outcome === 'done' ? sql`status = 'done'` : outcome === 'rolled-back' ? sql`(status <> 'skipped' or ${neverBegun})` : sql`status <> 'skipped'`}`,
    )
    for (const { type, id, did } of found)
      await (type === 'database' ? become(tx, id, kind, did, outcome) : becomeUser(tx, id, kind, did, outcome))
    if (found.length) await changed(tx, 'databases')
  })

  /** The row takes the new values when the workflow is done, and keeps its values when the workflow is rolled back. */
  onEnd('database.change', async (tx, { id: workflowId }, outcome) => {
    const [row] = await tx
      .select()
      .from(databases)
      .where(and(eq(databases.workflowId, workflowId), isNotNull(databases.next)))
    if (!row) return
    const set =
      outcome === 'done'
        ? { ...row.next, next: null, status: 'active' as const, ...nextVersion }
        : outcome === 'rolled-back'
          ? { next: null, status: 'active' as const, ...nextVersion }
          : { status: outcome === 'failed' ? ('failed' as const) : ('active' as const) }
    await tx.update(databases).set(set).where(eq(databases.id, row.id))
    await changed(tx, 'databases', row.id)
  })

  onEnd('database-user.change', async (tx, { id: workflowId }, outcome) => {
    if (outcome !== 'done' && outcome !== 'rolled-back') return
    const [row] = await tx
      .select()
      .from(databaseUsers)
      .where(and(eq(databaseUsers.workflowId, workflowId), isNotNull(databaseUsers.next)))
    if (!row) return
    const { grants, ...columns } = row.next ?? {}
    await tx
      .update(databaseUsers)
      .set({ ...(outcome === 'done' && columns), next: null, ...nextVersion })
      .where(eq(databaseUsers.id, row.id))
    if (outcome === 'done' && grants) {
      await tx.delete(databaseGrants).where(eq(databaseGrants.databaseUserId, row.id))
      if (grants.length)
        await tx.insert(databaseGrants).values(grants.map((one) => ({ ...one, databaseUserId: row.id })))
    }
    await changed(tx, 'databases')
  })
}
