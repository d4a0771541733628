import { holds } from '@innkeeper/contract/kit/access'
import type { ShiftTeam } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { plans, readPeople } from './roster/people.ts'

type Row = Omit<ShiftTeam, 'members' | 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string | Date>

/** Teams that match the conditions on `t`, with the names of active members. */
export async function readTeams(db: Db, where: SQL[]): Promise<ShiftTeam[]> {
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

/**
 * Condition on `shift_teams t` for the teams that a person may see: planners and people who create teams see all teams,
 * others those of their department, as they see shifts.
 */
export const teamsVisibleTo = (staff: Staff): SQL =>
  plans(staff) || holds(staff, 'calendar:shift-team:create')
    ? sql`true`
    : sql`t.department_id = ${staff.departmentId ?? 0}`

/** Condition: the version of each team that is valid on a day, the last one that began by then. */
const holdsOn = (date: string): SQL => sql`t.date = (select max(l.date) from shift_teams l
  where l.deleted_at is null and l.department_id = t.department_id and lower(l.name) = lower(t.name) and l.date <= ${date}::date)`

/** The teams that are valid on a day and match a condition on `t`. */
export const teamsOn = (db: Db, date: string, where: SQL): Promise<ShiftTeam[]> => readTeams(db, [holdsOn(date), where])

/** Ids of all who share a team with this person on a day, including the person; 422 if the person has no team. */
export async function teamOf(db: Db, userId: number, date: string): Promise<number[]> {
  const teams = await readTeams(db, [holdsOn(date), sql`${userId} = any(t.member_ids)`])
  const text = 'This person is in no shift team on that day'
  if (!teams.length) throw refused(text, { applySameShiftsToTeam: text })
  return [...new Set([userId, ...teams.flatMap(({ memberIds }) => memberIds)])]
}

/** Query for the members on a day of the team, or of a later version with the same name: one row or none. */
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
