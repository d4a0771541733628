import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Membership } from '@innkeeper/contract/quality/dossiers/shapes'
import { eq, type SQL, sql } from 'drizzle-orm'
import { isAmong, rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personName, personOf } from '../../../kit/db/people.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { mayJoin } from '../feedback/reach.ts'
import { checkLive } from '../names.ts'
import { holdDossier } from '../people/hold.ts'
import { arranged } from '../teams/arranged.ts'
import { holdsOn } from './current.ts'
import { checkSpan, endPrevious } from './spans.ts'
import { dossierMemberships as table } from './tables.ts'

type Changed = Input<(typeof contract)['updateMembership'], 'out'>
type Moved = Input<(typeof contract)['moveMembership'], 'out'>
type Calls =
  | 'memberships'
  | 'membership'
  | 'createMembership'
  | 'updateMembership'
  | 'moveMembership'
  | 'removeMembership'
const sorts = {
  from: { column: table.startsOn, type: 'day', direction: 'DESC' },
  createdAt: { column: table.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const membershipHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async memberships(input, { db }) {
    const where: SQL[] = [sql`${table.deletedAt} is null`]
    if (input.userId) where.push(isAmong(table.userId, input.userId))
    if (input.teamId) where.push(isAmong(table.teamId, input.teamId))
    if (input.positionId) where.push(isAmong(table.positionId, input.positionId))
    if (input.date) where.push(holdsOn('dossier_memberships', sql`${input.date}::date`))
    if (input.search)
      where.push(sql`${table.userId} in (select user_id from users
        where ${contains(sql`${personName()}`, input.search)})`)
    const order = sorts[input.sort ?? 'from']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
    return { items: await readMemberships(db, ids), ...page }
  },

  membership: ({ id }, { db }) => readMembership(db, id),

  async createMembership({ userId, endsPrevious, ...fields }, context) {
    return arrange(context, async () => {
      await holdDossier(context, userId, 'userId')
      if (endsPrevious && !fields.isAdditional) await endPrevious(context.db, userId, fields.from)
      return addMembership(context, userId, fields)
    })
  },

  updateMembership: (input, context) => arrange(context, () => updateMembership(input, context)),
  moveMembership: (input, context) => arrange(context, () => moveMembership(input, context)),

  removeMembership: ({ id, version }, context) =>
    arrange(context, async () => {
      const { db } = context
      mayJoin(context, (await hold(context, id, version)).user.id)
      await db
        .update(table)
        .set({ deletedAt: sql`now()`, ...nextVersion })
        .where(eq(table.id, id))
      await changed(db, 'dossiers')
    }),
}

const arrange = async <T>(context: Context, change: () => Promise<T>): Promise<T> =>
  (await arranged(context, change)).done

async function updateMembership({ id, version, ...fields }: Changed, context: Context): Promise<Membership> {
  const { db } = context
  const before = await hold(context, id, version)
  mayJoin(context, before.user.id)
  await checkLive(db, 'team', fields.teamId, 'teamId')
  await checkLive(db, 'position', fields.positionId, 'positionId')
  await checkSpan(db, {
    ...{ id, userId: before.user.id, teamId: fields.teamId ?? before.team.id },
    from: fields.from ?? before.from,
    to: fields.to === undefined ? before.to : fields.to,
    isAdditional: fields.isAdditional ?? before.isAdditional,
  })
  const { from: startsOn, to: endsOn, ...rest } = fields
  return store(context, id, given({ startsOn, endsOn, ...rest }))
}

async function moveMembership({ id, version, teamId, from }: Moved, context: Context): Promise<Membership> {
  const { db } = context
  const { user, team, position, isAdditional, ...before } = await hold(context, id, version)
  mayJoin(context, user.id)
  if (teamId === team.id)
    throw refused('The person is already in the team', { teamId: 'The person is already in this team' })
  if (before.to !== null && from > before.to) throw refused('The membership has ended', { from: 'After its last day' })
  // a membership that moves on its first day was never in the former team
  if (from <= before.from) {
    await checkLive(db, 'team', teamId, 'teamId')
    await checkSpan(db, { id, userId: user.id, teamId, from: before.from, to: before.to, isAdditional })
    return store(context, id, { teamId })
  }
  await db
    .update(table)
    .set({ endsOn: sql`${from}::date - 1`, ...nextVersion })
    .where(eq(table.id, id))
  return addMembership(context, user.id, {
    ...{ teamId, positionId: position?.id ?? null, from, to: before.to, isAdditional },
  })
}

async function store(
  { db, audit }: Context,
  id: number,
  change: Partial<typeof table.$inferInsert>,
): Promise<Membership> {
  await db
    .update(table)
    .set({ ...change, ...nextVersion })
    .where(eq(table.id, id))
  const membership = await readMembership(db, id)
  audit.after(logged(membership))
  await changed(db, 'dossiers')
  return membership
}

interface Fields {
  teamId: number
  positionId?: number | null | undefined
  from: string
  to?: string | null | undefined
  isAdditional?: boolean | undefined
}

/** Adds a person to a team. The caller has locked the dossier of the person. */
export async function addMembership(
  context: Context,
  userId: number,
  { from, to = null, isAdditional = false, ...fields }: Fields,
): Promise<Membership> {
  const { db, staff, audit } = context
  mayJoin(context, userId)
  await checkLive(db, 'team', fields.teamId, 'teamId')
  await checkLive(db, 'position', fields.positionId, 'positionId')
  await checkSpan(db, { id: 0, userId, teamId: fields.teamId, from, to, isAdditional })
  const [made] = await db
    .insert(table)
    .values({ ...given(fields), userId, startsOn: from, endsOn: to, isAdditional, createdBy: staff.id })
    .returning({ id: table.id })
  const membership = await readMembership(db, made!.id) // one inserted row returns one row
  audit.after(logged(membership))
  await changed(db, 'dossiers')
  return membership
}

const logged = ({ user, team, position, ...membership }: Membership) => ({
  ...{ ...membership, userId: user.id, subjectName: `${user.name}, ${team.name}`, teamId: team.id },
  positionId: position?.id ?? null,
})

async function hold(context: Context, id: number, version: number | undefined): Promise<Membership> {
  const { db, audit } = context
  const [found] = await rows<{ userId: number }>(
    db,
    sql`select user_id as "userId" from dossier_memberships where dossier_membership_id = ${id} and deleted_at is null`,
  )
  if (!found) throw notFound('membership', id)
  await rows(db, sql`select from dossiers where user_id = ${found.userId} for update`)
  const membership = await readMembership(db, id)
  audit.before(logged(membership))
  checkVersion(membership, version, `The membership of ${membership.user.name}`)
  return membership
}

const select = rowsByIds<Membership>(
  (
    isWanted,
  ) => sql`select m.dossier_membership_id as id, m.version, m.created_at as "createdAt", m.updated_at as "updatedAt",
      ${personOf('m.user_id')} as user, json_build_object('id', t.dossier_team_id, 'name', t.name) as team,
      case when p.dossier_position_id is not null then json_build_object('id', p.dossier_position_id, 'name', p.name) end as position,
      m.starts_on::text as from, m.ends_on::text as to, m.is_additional as "isAdditional"
    from dossier_memberships m join dossier_teams t on t.dossier_team_id = m.team_id
      left join dossier_positions p on p.dossier_position_id = m.position_id
    where ${isWanted(sql`m.dossier_membership_id`)} and m.deleted_at is null`,
)
export const readMemberships = async (db: Db, ids: number[]): Promise<Membership[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt']))

async function readMembership(db: Db, id: number): Promise<Membership> {
  const [membership] = await readMemberships(db, [id])
  if (!membership) throw notFound('membership', id)
  return membership
}
