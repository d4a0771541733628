import type { shifts as contract, ShiftTeam } from '@innkeeper/contract/shifts'
import { type SQL, sql } from 'drizzle-orm'
import { todayIn } from '../calendar/places.ts'
import { isoOf } from '../kit/db/columns.ts'
import { type Db, rows } from '../kit/db/db.ts'
import type { Handlers } from '../kit/http/api.ts'
import { conflict, notFound, refused } from '../kit/http/errors.ts'
import { checkVersion } from '../kit/http/version.ts'
import { changed } from '../kit/live/live.ts'
import { readPeople, visibleTo } from './roster/people.ts'
import { readStored } from './roster/view.ts'
import { shiftAutomations, shiftTeams } from './tables.ts'

type Row = Omit<ShiftTeam, 'members' | 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string | Date>

/** Teams that match the conditions on `t`, with the names of active members. */
async function readTeams(db: Db, where: SQL[]): Promise<ShiftTeam[]> {
  const found = await rows<Row>(
    db,
    sql`select t.shift_team_id as id, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt", t.name,
        t.department_id as "departmentId", d.name as "departmentName", t.date::text as date, t.member_ids as "memberIds"
      from shift_teams t join departments d on d.department_id = t.department_id
      where t.deleted_at is null and ${sql.join(where, sql` and `)} order by d.name, lower(t.name), t.date`,
  )
  const people = await readPeople(db, { ids: found.flatMap(({ memberIds }) => memberIds) })
  return found.map((team) => {
    const members = people.filter(({ id }) => team.memberIds.includes(id)).map(({ id, name }) => ({ id, name }))
    return {
      ...team,
      createdAt: isoOf(team.createdAt),
      updatedAt: isoOf(team.updatedAt),
      memberIds: members.map(({ id }) => id),
      members,
    }
  })
}

/** Condition: the version of each team that is valid on a day, the last one that began by then. */
const holdsOn = (date: string): SQL => sql`t.date = (select max(l.date) from shift_teams l
  where l.deleted_at is null and l.department_id = t.department_id and lower(l.name) = lower(t.name) and l.date <= ${date}::date)`

/** Teams as they are on a day. */
export const teamsOn = (db: Db, date: string, departmentId?: number): Promise<ShiftTeam[]> =>
  readTeams(db, [holdsOn(date), departmentId ? sql`t.department_id = ${departmentId}` : sql`true`])

/** Ids of all who share a team with this person on a day, including the person; 422 if the person has no team. */
export async function teamOf(db: Db, userId: number, date: string): Promise<number[]> {
  const teams = await readTeams(db, [holdsOn(date), sql`${userId} = any(t.member_ids)`])
  const text = 'This person is in no shift team on that day'
  if (!teams.length) throw refused(text, { applySameShiftsToTeam: text })
  return [...new Set([userId, ...teams.flatMap(({ memberIds }) => memberIds)])]
}

/** Query for the member ids on a day of a team or of the later version with its name: one row or none. */
export const heldBy = (date: string, teamId: SQL): SQL => sql`select t.member_ids from shift_teams t
  join shift_teams n on n.shift_team_id = ${teamId} and n.department_id = t.department_id and lower(n.name) = lower(t.name)
  where t.deleted_at is null and ${holdsOn(date)}`

/** Member ids of a team on a day, including people who have left. */
export async function membersOn(db: Db, teamId: number, date: string): Promise<number[]> {
  const [team] = await rows<{ ids: number[] }>(
    db,
    sql`select held.member_ids as ids from (${heldBy(date, sql`${teamId}::int`)}) as held`,
  )
  return team?.ids ?? []
}

/** Days after `from` on which another version of the team takes effect. */
export async function teamChanges(db: Db, teamId: number, from: string, to: string): Promise<string[]> {
  const found = await rows<{ date: string }>(
    db,
    sql`select t.date::text as date from shift_teams t join shift_teams n on n.shift_team_id = ${teamId}
        and n.department_id = t.department_id and lower(n.name) = lower(t.name)
      where t.deleted_at is null and t.date > ${from}::date and t.date <= ${to}::date order by t.date`,
  )
  return found.map(({ date }) => date)
}

async function findTeam(db: Db, id: number): Promise<ShiftTeam> {
  const [team] = await readTeams(db, [sql`t.shift_team_id = ${id}`])
  if (!team) throw notFound('shift team', id)
  return team
}

async function departmentName(db: Db, id: number): Promise<string> {
  const [department] = await rows<{ name: string }>(
    db,
    sql`select name from departments where department_id = ${id} and deleted_at is null`,
  )
  if (!department) throw notFound('department', id)
  return department.name
}

type Calls = 'teams' | 'onShift' | 'createTeam' | 'removeTeam'

export const teamHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async teams({ departmentId, date }, { db, now }) {
    const items = await teamsOn(db, date ?? (await todayIn(db, now, departmentId)), departmentId)
    return { items, total: items.length }
  },

  async onShift({ departmentId, shiftTypeId, date }, { db, staff }) {
    const type = await rows(db, sql`select from shift_types where shift_type_id = ${shiftTypeId}`)
    if (!type.length) throw notFound('shift type', shiftTypeId)
    await departmentName(db, departmentId)
    const found = await readStored(db, [
      sql`s.date = ${date}::date and s.department_id = ${departmentId} and s.shift_type_id = ${shiftTypeId} and s.user_id is not null`,
      visibleTo(staff),
    ])
    const members = found.flatMap(({ id, userId, userName }) =>
      userId === null ? [] : [{ id: userId, name: userName ?? '', shiftId: id }],
    )
    return { departmentId, shiftTypeId, date, members, total: members.length }
  },

  async createTeam({ departmentId, date, name, memberIds }, { db, staff, audit }) {
    const inName = await departmentName(db, departmentId)
    const people = await readPeople(db, { ids: memberIds })
    const gone = memberIds.find((id) => !people.some((person) => person.id === id))
    if (gone !== undefined) throw refused(`User ${gone} is gone`, { memberIds: `User ${gone} is gone` })
    const called = name ?? inName
    const [same] = await readTeams(db, [
      sql`t.department_id = ${departmentId} and lower(t.name) = lower(${called}) and t.date = ${date}::date`,
    ])
    if (same)
      throw conflict(`${same.name} begins on that day already`, { current: same, fields: { name: 'Exists already' } })
    const [made] = await db
      .insert(shiftTeams)
      .values({ departmentId, date, name: called, memberIds: [...new Set(memberIds)], createdBy: staff.id })
      .returning({ id: shiftTeams.id })
    const team = await findTeam(db, made!.id) // one inserted row returns one row
    audit.after(team)
    await changed(db, 'shifts')
    return team
  },

  async removeTeam({ id, version }, { db, audit }) {
    await db.select({ id: shiftTeams.id }).from(shiftTeams).where(sql`${shiftTeams.id} = ${id}`).for('update')
    const team = await findTeam(db, id)
    audit.before(team)
    checkVersion(team, version, team.name)
    const [used] = await db
      .select({ name: shiftAutomations.name })
      .from(shiftAutomations)
      .where(sql`${shiftAutomations.teamId} = ${id} and ${shiftAutomations.deletedAt} is null`)
    if (used) throw refused(`${used.name} plans for ${team.name}: give it somebody else first`)
    await db
      .update(shiftTeams)
      .set({ deletedAt: sql`now()`, version: sql`version + 1` })
      .where(sql`${shiftTeams.id} = ${id}`)
    await changed(db, 'shifts')
  },
}
