import type { qcStatistics as contract } from '@innkeeper/contract/quality/qc/statistics'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { type Asked, inZone } from './asked.ts'
import { overall, perAgent } from './figures.ts'
import { listReviews } from './reviews.ts'

export const statisticsHandlers: Handlers<typeof contract> = {
  reviews: (input, context) => listReviews(context, input),
  overall: async (input, { db }) => overall(db, await inZone(db, input)),
  users: async (input, { db }) => perAgent(db, await inZone(db, input)),
  user: ({ id, ...input }, { db }) => ofAgent(db, id, input),
  statistic: async (input, { db }) => overall(db, await inZone(db, input)),
  statisticOfAgent: ({ id, ...input }, { db }) => ofAgent(db, id, input),
}

async function ofAgent(db: Db, id: number, asked: Omit<Asked, 'zone'>) {
  const [agent] = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, first_name || ' ' || last_name as name from users where user_id = ${id}`,
  )
  if (!agent) throw notFound('user', id)
  return { agent, ...(await overall(db, await inZone(db, { ...asked, agent: [id] }))) }
}
