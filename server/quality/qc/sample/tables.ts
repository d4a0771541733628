import { kinds } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { identity, instant } from '../../../kit/db/columns.ts'

/** One draw of the sample: of a kind, for a day of the organisation. */
export const qcDraws = pgTable(
  'qc_draws',
  {
    id: identity('qc_draw_id'),
    kind: text({ enum: kinds }).notNull(),
    day: date().notNull(),
    /** First day of the period whose quota the draw fills. */
    periodStart: date().notNull(),
    /** The order of the draw is that of md5(seed:id of the conversation). */
    seed: text().notNull(),
    drawnAt: instant().notNull().default(sql`now()`),
  },
  (t) => [uniqueIndex('qc_draws_unique_day').on(t.kind, t.day)],
)

/** What a draw took of the conversations of one agent. */
export const qcDrawnAgents = pgTable(
  'qc_drawn_agents',
  {
    id: identity('qc_drawn_agent_id'),
    drawId: integer()
      .notNull()
      .references(() => qcDraws.id),
    agentId: integer()
      .notNull()
      .references(() => users.id),
    /** Quota of the agent in the period, with factors. */
    quota: integer().notNull(),
    /** Number of conversations that were to be drawn. */
    due: integer().notNull(),
    /** Conversations from which was drawn, and the drawn ones. */
    poolIds: integer().array().notNull(),
    drawnIds: integer().array().notNull(),
  },
  (t) => [
    uniqueIndex('qc_drawn_agents_unique').on(t.drawId, t.agentId),
    index('qc_drawn_agents_of').on(t.agentId, t.drawId),
  ],
)
