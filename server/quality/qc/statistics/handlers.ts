import type { qcStatistics as contract } from '@innkeeper/contract/quality/qc/statistics'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import type { Reading } from '../rights.ts'
import { type Asked, forReader } from './asked.ts'
import { overall, perAgent } from './figures.ts'
import { ratings } from './ratings.ts'
import { listReviews } from './reviews.ts'

export const statisticsHandlers: Handlers<typeof contract> = {
  reviews: (input, context) => listReviews(context, input),
  overall: async (input, context) => overall(context.db, await forReader(context, input)),
  users: async (input, context) => perAgent(context.db, await forReader(context, input)),
  user: ({ id, ...input }, context) => ofAgent(context, id, input),
  ratings: (input, context) => ratings(context, input),
  statistic: async (input, context) => overall(context.db, await forReader(context, input)),
  statisticOfAgent: ({ id, ...input }, context) => ofAgent(context, id, input),
}

async function ofAgent({ db, staff }: Reading, id: number, asked: Omit<Asked, 'zone'>) {
  const [agent] = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, ${personName()} as name from users where user_id = ${id}`,
  )
  if (!agent) throw notFound('user', id)
  return { agent, ...(await overall(db, await forReader({ db, staff }, { ...asked, agent: [id] }))) }
}
