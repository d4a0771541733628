import type { qcSettings as contract, Draw } from '@innkeeper/contract/quality/qc/settings'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { reachedOf, withinReach } from '../reach.ts'
import type { Reading } from '../rights.ts'

const select = rowsByIds<Draw>(
  (
    isWanted,
  ) => sql`select a.qc_drawn_agent_id as id, d.kind, d.day::text as day, d.period_start::text as "periodStart", d.drawn_at as "drawnAt",
    ${personOf('a.agent_id')} as agent, a.quota, a.due, d.seed, a.pool_ids as "poolIds", a.drawn_ids as "drawnIds"
  from qc_drawn_agents a join qc_draws d on d.qc_draw_id = a.draw_id where ${isWanted(sql`a.qc_drawn_agent_id`)}`,
)

export const drawHandlers: Pick<Handlers<typeof contract>, 'draws'> = {
  async draws({ kind, agent, ...input }, { db, staff }) {
    const reach = await withinReach({ db, staff }, 'c')
    const where = reach.map(
      (one) => sql`exists (select from qc_conversations c where c.qc_conversation_id = any(a.pool_ids) and ${one})`,
    )
    if (kind) where.push(sql`a.draw_id in (select qc_draw_id from qc_draws where kind = ${kind})`)
    if (agent) where.push(sql`a.agent_id = any(${sql.param(agent)}::int[])`)
    const order = { column: sql`a.draw_id`, type: 'int', direction: 'DESC' } as const
    const source = { from: sql`qc_drawn_agents a`, where, key: sql`a.qc_drawn_agent_id`, order }
    const { ids, ...page } = await pageKeys(db, input, source)
    const items = inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['drawnAt']))
    return { items: reach.length ? await withReached({ db, staff }, items) : items, ...page }
  },
}

/** The draws with the conversations that a limited reviewer reaches. */
async function withReached(reading: Reading, items: Draw[]): Promise<Draw[]> {
  const all = items.flatMap(({ poolIds }) => poolIds.map((conversationId) => ({ conversationId })))
  const reached = new Set((await reachedOf(reading, all)).map(({ conversationId }) => conversationId))
  const shown = (ids: readonly number[]) => ids.filter((id) => reached.has(id))
  return items.map((one) => ({ ...one, poolIds: shown(one.poolIds), drawnIds: shown(one.drawnIds) }))
}
