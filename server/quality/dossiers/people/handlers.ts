import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { eq, type SQL, sql } from 'drizzle-orm'
import { checkPeople } from '../../../access/users/exist.ts'
import { fullName, nameOf } from '../../../access/users/read.ts'
import { users } from '../../../access/users/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { holdsOn } from '../memberships/current.ts'
import { addMembership } from '../memberships/handlers.ts'
import { endMemberships } from '../memberships/spans.ts'
import { arranging } from '../names.ts'
import { arranged } from '../teams/arranged.ts'
import { dossiers } from './tables.ts'
import { readDossier, readDossiers } from './view.ts'

type Calls = 'users' | 'freeUsers' | 'user' | 'createUser' | 'updateUser' | 'removeUser'
const order = {
  name: { column: fullName, type: 'text', direction: 'ASC' },
  createdAt: { column: dossiers.createdAt, type: 'instant', direction: 'DESC' },
} as const
const isFree = sql`not exists (select from dossiers d where d.user_id = ${users.id} and d.deleted_at is null)`

export const peopleHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async users(input, context) {
    const { db, now } = context
    const where: SQL[] = [input.isClosed ? sql`${dossiers.deletedAt} is not null` : sql`${dossiers.deletedAt} is null`]
    if (!input.withGone && !input.isClosed) where.push(sql`${users.deletedAt} is null and not ${users.isService}`)
    if (input.search) where.push(contains(nameOf, input.search))
    const today = sql`${await todayIn(db, now)}::date`
    const member = (column: SQL, ids: readonly number[]) =>
      sql`${dossiers.userId} in (select m.user_id from dossier_memberships m
        where ${column} = any(${sql.param([...ids])}::int[]) and ${holdsOn('m', today)})`
    if (input.teamId) where.push(member(sql`m.team_id`, input.teamId))
    if (input.positionId) where.push(member(sql`m.position_id`, input.positionId))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${dossiers} join ${users} on ${users.id} = ${dossiers.userId}`,
      ...{ where, key: users.id, order: order[input.sort ?? 'name'] },
    })
    return { items: await readDossiers(context, ids), ...page }
  },

  async freeUsers(input, { db }) {
    const where: SQL[] = [sql`${users.deletedAt} is null and not ${users.isService}`, isFree]
    if (input.search) where.push(contains(sql`${nameOf} || ' ' || ${users.username}`, input.search))
    const source = { from: sql`${users}`, where, key: users.id, order: order.name }
    const { ids, ...page } = await pageKeys(db, input, source)
    const found = await rows<{ id: number; name: string; username: string; departmentName: string | null }>(
      db,
      sql`select u.user_id as id, ${personName('u')} as name, u.username, d.name as "departmentName"
        from users u left join departments d on d.department_id = u.department_id and d.deleted_at is null
        where u.user_id = any(${sql.param(ids)}::int[])`,
    )
    return { items: inOrder(ids, found), ...page }
  },

  user: ({ id }, context) => readDossier(context, id),

  async createUser({ userId, teamId, positionId, from, ...fields }, context) {
    const { db, staff, audit, now } = context
    await checkPeople(db, [userId], 'userId')
    if (!teamId && (positionId ?? from) !== undefined)
      throw refused('A first membership needs a team', { teamId: 'Choose a team' })
    if (teamId) await arranging(db)
    const [made] = await db
      .insert(dossiers)
      .values({ ...given(fields), userId, createdBy: staff.id })
      .onConflictDoUpdate({
        target: dossiers.userId,
        set: { ...given(fields), deletedAt: null, ...reopened },
        setWhere: sql`${dossiers.deletedAt} is not null`,
      })
      .returning({ id: dossiers.userId })
    if (!made)
      throw conflict('The person has a dossier already', { fields: { userId: 'The person has a dossier already' } })
    if (teamId)
      await arranged(context, async () =>
        addMembership(context, userId, { teamId, positionId, from: from ?? (await todayIn(db, now)) }),
      )
    const dossier = await readDossier(context, userId)
    audit.of('dossier', userId)
    audit.after(logged(dossier))
    await changed(db, 'dossiers', userId)
    return dossier
  },

  async updateUser({ id, version, ...fields }, context) {
    const { db, audit } = context
    await hold(context, id, version)
    await db
      .update(dossiers)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(dossiers.userId, id))
    const dossier = await readDossier(context, id)
    audit.after(logged(dossier))
    await changed(db, 'dossiers', id)
    return dossier
  },

  async removeUser({ id, version }, context) {
    const { db, now, audit } = context
    await arranging(db)
    await hold(context, id, version)
    await arranged(context, async () => endMemberships(db, id, await todayIn(db, now)))
    await db
      .update(dossiers)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(dossiers.userId, id))
    audit.after(null)
    await changed(db, 'dossiers', id)
  },
}

/** Qualified with the table, because `version` alone is ambiguous in an upsert. */
const reopened = { version: sql`${dossiers.version} + 1`, updatedAt: sql`now()` }

const logged = ({ id, name: subjectName, startedOn, about, team, position }: DossierUser) => ({
  ...{ id, subjectName, startedOn, about, team: team?.name ?? null, position: position?.name ?? null },
})

async function hold(context: Context, id: number, version: number | undefined): Promise<DossierUser> {
  const { db, audit } = context
  await rows(db, sql`select from dossiers where user_id = ${id} for update`)
  const dossier = await readDossier(context, id)
  audit.of('dossier', id)
  audit.before(logged(dossier))
  checkVersion(dossier, version, `The dossier of ${dossier.name}`)
  return dossier
}
