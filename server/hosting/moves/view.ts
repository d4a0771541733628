import { phaseOf } from '@innkeeper/contract/hosting/moves/phaseOf'
import type { Migration, MigrationWithDetails, Phase } from '@innkeeper/contract/hosting/moves/shapes'
import { asc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { byIds, rowsByIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { readWorkflow } from '../../machines/workflows/read.ts'
import type { Move } from './startMove.ts'
import { migrations } from './tables.ts'

const source = alias(servers, 'source')
const target = alias(servers, 'target')

interface Progress {
  workflowId: number
  kind: string
  done: number
  count: number
  name: string | null
  input: Record<string, unknown> | null
}

const selectMoves = byIds((db, isWanted) =>
  db
    .select({ move: migrations, sourceServerName: source.name, targetServerName: target.name })
    .from(migrations)
    .innerJoin(source, eq(source.id, migrations.sourceServerId))
    .innerJoin(target, eq(target.id, migrations.targetServerId))
    .where(isWanted(migrations.id)),
)

/** Moves in the form of the contract, in the order of `ids`. Missing ones are left out. */
export async function readMoves(db: Db, ids: number[]): Promise<Migration[]> {
  const found = await selectMoves(db, ids)
  const progress = await progressOf(
    db,
    found.flatMap(({ move }) => move.workflowId ?? []),
  )
  const groups = await membersCount(
    db,
    found.flatMap(({ move }) => (move.type === 'group' ? move.id : [])),
  )
  return inOrder(
    ids,
    found.map(({ move, ...names }) => {
      const { sites: _, findings: __, targetUserId: ___, startedById: ____, createdBy: _____, ...shown } = move
      const of = move.workflowId === null ? undefined : progress.get(move.workflowId)
      const { done, count } = (move.type === 'group' ? groups.get(move.id) : of) ?? { done: 0, count: 0 }
      return { ...shown, ...names, done, count, phase: currentPhase(move, of) }
    }),
  )
}

/** One move with its members or its actions. Throws 404 if it is missing. */
export async function readMove(db: Db, id: number): Promise<MigrationWithDetails> {
  const [move] = await readMoves(db, [id])
  if (!move) throw notFound('migration', id)
  const [row] = await db.select({ findings: migrations.findings }).from(migrations).where(eq(migrations.id, id))
  const members = await db
    .select({ id: migrations.id })
    .from(migrations)
    .where(eq(migrations.parentId, id))
    .orderBy(asc(migrations.position))
  return {
    ...move,
    findings: row?.findings ?? [],
    workflow: move.workflowId === null ? null : await readWorkflow(db, move.workflowId),
    members: await readMoves(
      db,
      members.map((member) => member.id),
    ),
  }
}

function currentPhase({ status, type }: Move, progress: Progress | undefined): Phase {
  if (status === 'soaking') return 'soak'
  if (status === 'done' || progress?.kind === 'website.retire') return 'retire'
  if (!progress?.name || !progress.input) return type === 'group' ? 'prepare' : 'preflight'
  return phaseOf({ name: progress.name, input: progress.input })
}

const selectProgress = rowsByIds<Progress>(
  (isWanted) => sql`select w.workflow_id as "workflowId", w.kind, counted.*, at.* from workflows w
      join lateral (select count(*)::int as count, count(*) filter (where status in ('done', 'skipped'))::int as done
        from actions where workflow_id = w.workflow_id) counted on true
      left join lateral (select name, input from actions where workflow_id = w.workflow_id and status not in ('done', 'skipped', 'undone')
        order by status = 'pending', case when w.undo then -position else position end limit 1) at on true
      where ${isWanted(sql`w.workflow_id`)}`,
)

/** By workflow: the number of actions and the current or next action. */
async function progressOf(db: Db, workflowIds: number[]): Promise<Map<number, Progress>> {
  const found = await selectProgress(db, workflowIds)
  return new Map(found.map((one) => [one.workflowId, one]))
}

const countMembers = rowsByIds<{ id: number; done: number; count: number }>(
  (
    isWanted,
  ) => sql`select parent_id as id, count(*)::int as count, count(*) filter (where status in ('soaking', 'done'))::int as done
      from website_migrations where ${isWanted(sql`parent_id`)} group by parent_id`,
)

async function membersCount(db: Db, ids: number[]): Promise<Map<number, { done: number; count: number }>> {
  const found = await countMembers(db, ids)
  return new Map(found.map((one) => [one.id, one]))
}
