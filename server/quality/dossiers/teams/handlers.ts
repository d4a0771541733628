import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Team } from '@innkeeper/contract/quality/dossiers/shapes'
import { eq, type SQL, sql } from 'drizzle-orm'
import { checkPeople } from '../../../access/users/exist.ts'
import { isAmong, rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { nameOrder } from '../../../kit/db/nameOrder.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { freeName } from '../../qc/settings/names.ts'
import { holdsOn } from '../memberships/current.ts'
import { arranging, checkAbove, checkLive, replacement, USES } from '../names.ts'
import { arranged } from './arranged.ts'
import { readChart } from './chart.ts'
import { passToManagers } from './succession.ts'
import { dossierTeams } from './tables.ts'
import { handOverMembers } from './takeOver.ts'

type Calls = 'teams' | 'team' | 'createTeam' | 'updateTeam' | 'removeTeam' | 'chart'
type Fields = Partial<Pick<Team, 'managerId' | 'departmentId' | 'parentId'>>

const unique = { table: 'dossier_teams', key: 'dossier_team_id', noun: 'team', live: sql`deleted_at is null` }
const sorts = {
  name: { column: nameOrder(sql`lower(${dossierTeams.name})`), type: 'text', direction: 'ASC' },
  createdAt: { column: dossierTeams.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const teamHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async teams(input, context) {
    const where: SQL[] = [sql`${dossierTeams.deletedAt} is null`]
    if (input.search) where.push(contains(dossierTeams.name, input.search))
    if (input.managerId) where.push(isAmong(dossierTeams.managerId, input.managerId))
    if (input.departmentId) where.push(isAmong(dossierTeams.departmentId, input.departmentId))
    const order = sorts[input.sort ?? 'name']
    const source = { from: sql`${dossierTeams}`, where, key: dossierTeams.id, order }
    const { ids, ...page } = await pageKeys(context.db, input, source)
    return { items: await readTeams(context, ids), ...page }
  },

  team: ({ id }, context) => readTeam(context, id),

  async createTeam(fields, context) {
    const { db, staff, audit } = context
    await freeName(db, unique, fields.name)
    await checkFields(context, fields)
    const [made] = await db
      .insert(dossierTeams)
      .values({ ...given(fields), createdBy: staff.id })
      .returning({ id: dossierTeams.id })
    const team = await readTeam(context, made!.id) // one inserted row returns one row
    audit.after(team)
    await changed(db, 'dossiers')
    return team
  },

  async updateTeam({ id, version, ...fields }, context) {
    const { db, audit } = context
    await arranging(db)
    await hold(context, id, version)
    if (fields.name) await freeName(db, unique, fields.name, id)
    await checkFields(context, fields)
    await checkAbove(db, 'team', id, fields.parentId)
    await arrange(context, async () => {
      await db
        .update(dossierTeams)
        .set({ ...given(fields), ...nextVersion })
        .where(eq(dossierTeams.id, id))
    })
    const team = await readTeam(context, id)
    audit.after(team)
    await changed(db, 'dossiers')
    return team
  },

  async removeTeam({ id, version, replacementId }, context) {
    const { db, audit } = context
    await arranging(db)
    const { name, uses } = await hold(context, id, version)
    const isThere = sql`exists (select from dossier_teams where dossier_team_id = ${replacementId ?? null} and deleted_at is null)`
    const heir = await replacement(db, { noun: 'team', name, id, uses, isThere }, replacementId)
    if (heir) await checkAbove(db, 'team', id, heir, 'replacementId')
    await arrange(context, async () => {
      if (heir) await handOverMembers(context, { from: id, to: heir })
      await db
        .update(dossierTeams)
        .set({ deletedAt: sql`now()`, ...nextVersion })
        .where(eq(dossierTeams.id, id))
    })
    audit.after({ replacementId: heir ?? null })
    await changed(db, 'dossiers')
  },

  chart: ({ date }, context) => readChart(context, date),
}

const arrange = async (context: Context, change: () => Promise<void>): Promise<void> =>
  passToManagers(context, await arranged(context, change))

async function checkFields({ db }: Context, { managerId, departmentId, parentId }: Fields): Promise<void> {
  if (managerId) await checkPeople(db, [managerId], 'managerId')
  await checkLive(db, 'department', departmentId, 'departmentId')
  await checkLive(db, 'team', parentId, 'parentId')
}

async function hold(context: Context, id: number, version: number | undefined): Promise<Team> {
  const { db, audit } = context
  await rows(db, sql`select from dossier_teams where dossier_team_id = ${id} for update`)
  const team = await readTeam(context, id)
  audit.before(team)
  checkVersion(team, version, team.name)
  return team
}

const bound = sql.raw(String(USES))
const select = rowsByIds<Team>((isWanted) => {
  const today = sql`${sql.placeholder('today')}::date`
  return sql`select t.dossier_team_id as id, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt", t.name,
      t.description, t.manager_id as "managerId", ${personOf('t.manager_id')} as manager, d.department_id as "departmentId",
      d.name as "departmentName", a.dossier_team_id as "parentId", a.name as "parentName",
      (select count(*)::int from dossier_memberships m where m.team_id = t.dossier_team_id and ${holdsOn('m', today)}) as people,
      (select count(*)::int from (select from dossier_memberships m where m.team_id = t.dossier_team_id
          and m.deleted_at is null limit ${bound}) as members)
        + (select count(*)::int from dossier_teams c where c.parent_id = t.dossier_team_id and c.deleted_at is null) as uses
    from dossier_teams t left join dossier_teams a on a.dossier_team_id = t.parent_id and a.deleted_at is null
      left join departments d on d.department_id = t.department_id and d.deleted_at is null
    where ${isWanted(sql`t.dossier_team_id`)} and t.deleted_at is null`
})

async function readTeams({ db, now }: Context, ids: number[]): Promise<Team[]> {
  const found = await select(db, ids, { today: await todayIn(db, now) })
  return inOrder(ids, found).map((row) => withInstants(row, ['createdAt', 'updatedAt']))
}

async function readTeam(context: Context, id: number): Promise<Team> {
  const [team] = await readTeams(context, [id])
  if (!team) throw notFound('team', id)
  return team
}
