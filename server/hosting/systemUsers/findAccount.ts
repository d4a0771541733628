import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { findOwner, findServer, isReserved, type Problems } from './place.ts'

interface Wanted {
  username: string
  originServer: number
  ownerId: number
  planId: number
}

/** Checks the input for an account. Throws the problems by field, or 409 if only the name is taken. */
export async function chooseAccount(db: Db, { username, originServer, ownerId, planId }: Wanted): Promise<void> {
  const problems: Problems = {}
  await findServer(db, originServer, problems)
  const owner: Problems = {}
  await findOwner(db, ownerId, owner)
  if (owner.userId) problems.ownerId = owner.userId
  const [plan] = await rows(db, sql`select from plans where plan_id = ${planId} and deleted_at is null for key share`)
  if (!plan) problems.planId = `No plan ${planId}`
  if (isReserved(username)) problems.username = `${username} belongs to the system`
  if (Object.keys(problems).length) throw refused(Object.values(problems).join('\n'), problems)
  const [taken] = await rows(
    db,
    sql`select from system_users where server_id = ${originServer} and username = ${username} and deleted_at is null`,
  )
  if (taken)
    throw conflict(`That server already has an account ${username}`, {
      fields: { username: 'This name is taken on that server' },
    })
}
