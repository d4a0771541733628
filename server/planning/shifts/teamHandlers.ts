import type { shifts as contract, ShiftTeam } from '@innkeeper/contract/planning/shifts/calls'
import { sql } from 'drizzle-orm'
import { checkPeople } from '../../access/users/exist.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { todayIn } from '../calendar/places.ts'
import { visibleTo } from './roster/people.ts'
import { readStored } from './roster/view.ts'
import { shiftAutomations, shiftTeams } from './tables.ts'
import { readTeams, teamsOn, teamsVisibleTo } from './teams.ts'

/** A team; 404 also for a team that the caller may not see. */
async function findTeam(db: Db, id: number, staff: Staff): Promise<ShiftTeam> {
  const [team] = await readTeams(db, [sql`t.shift_team_id = ${id}`, teamsVisibleTo(staff)])
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
  async teams({ departmentId, date }, { db, now, staff }) {
    const asked = departmentId ? sql`t.department_id = ${departmentId}` : sql`true`
    const day = date ?? (await todayIn(db, now, departmentId))
    const items = await teamsOn(db, day, sql`${asked} and ${teamsVisibleTo(staff)}`)
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
    await checkPeople(db, memberIds, 'memberIds')
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
    const team = await findTeam(db, made!.id, staff) // one inserted row returns one row
    audit.after(team)
    await changed(db, 'shifts')
    return team
  },

  async removeTeam({ id, version }, { db, staff, audit }) {
    await db.select({ id: shiftTeams.id }).from(shiftTeams).where(sql`${shiftTeams.id} = ${id}`).for('update')
    const team = await findTeam(db, id, staff)
    audit.before(team)
    checkVersion(team, version, team.name)
    const [used] = await db
      .select({ name: shiftAutomations.name })
      .from(shiftAutomations)
      .where(sql`${shiftAutomations.teamId} = ${id} and ${shiftAutomations.deletedAt} is null`)
    if (used) throw refused(`${used.name} plans for ${team.name}: choose another team or person for it first`)
    await db
      .update(shiftTeams)
      .set({ deletedAt: sql`now()`, version: sql`version + 1` })
      .where(sql`${shiftTeams.id} = ${id}`)
    await changed(db, 'shifts')
  },
}
