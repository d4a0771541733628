import type { Db } from '../../../kit/db/db.ts'
import { addDays } from '../../calendar/days.ts'
import { type Person, readPeople } from '../roster/people.ts'
import { membersOn, teamChanges } from '../teams.ts'
import type { Automation } from './ownShifts.ts'

/** People of an automation, by name: each starts the pattern `stagger` days after the previous one. */
async function membersOf(
  db: Db,
  { userId, teamId, departmentId }: Pick<Automation, 'userId' | 'teamId' | 'departmentId'>,
  date: string,
): Promise<Person[]> {
  if (userId !== null) return readPeople(db, { ids: [userId] })
  if (teamId !== null) return readPeople(db, { ids: await membersOn(db, teamId, date) })
  return readPeople(db, { departmentId: departmentId ?? 0 })
}

export interface Part {
  from: string
  to: string
  people: Person[]
}

/** Splits a run at the days on which another version of the team takes effect, with the people of each part. */
export async function partsOf(db: Db, automation: Automation, from: string, to: string): Promise<Part[]> {
  const changes = automation.teamId === null ? [] : await teamChanges(db, automation.teamId, from, to)
  const parts: Part[] = []
  for (const [n, start] of [from, ...changes].entries()) {
    const next = changes[n]
    parts.push({
      from: start,
      to: next === undefined ? to : addDays(next, -1),
      people: await membersOf(db, automation, start),
    })
  }
  return parts
}
