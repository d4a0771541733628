import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import { sql } from 'drizzle-orm'
import { notify, notifyEach } from '../../access/notifications/notify.ts'
import { speakIn } from '../../kit/app/language.ts'
import { spokenNotice } from '../../kit/app/notice.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { isForeseen } from '../../kit/db/foresee.ts'
import { plannersOf } from '../calendar/planners.ts'
import { isMetByLeave } from './roster/absences.ts'
import { shiftTexts, shortDay } from './texts.ts'

/** Who changed the plan: a person, or with id 0 an automation. */
export interface By {
  id: number
  name: string
}
export type Told = Pick<Shift, 'userId' | 'name' | 'date' | 'startTime' | 'endTime' | 'endsAt'>

/** What happened to shifts: the texts of one, of many, and of who did it. */
const kinds = {
  planned: 'planned',
  'taken back': 'takenBack',
  removed: 'removed',
  given: 'given',
  moved: 'moved',
  freed: 'freed',
  back: 'back',
} as const

/** "Early 06:00–14:00 on Mon 1 Mar", in the language of the reader. */
const spokenShift = ({ name, date, startTime, endTime }: Omit<Told, 'userId' | 'endsAt'>) =>
  shiftTexts().on(`${name} ${startTime}–${endTime}`, shortDay(date))
/** The same as it is stored. */
export const shiftText = (shift: Omit<Told, 'userId' | 'endsAt'>): string => speakIn('en', () => spokenShift(shift))
const isAhead = ({ endsAt }: Pick<Told, 'endsAt'>) => Date.parse(endsAt) > Date.now()
const LINK = '/calendar/shifts'

/** Texts of the first five shifts, and the number of others. */
const list = (shifts: readonly Told[]) => {
  const more = shifts.length - 5
  return `${shifts.slice(0, 5).map(spokenShift).join('; ')}${more > 0 ? shiftTexts().andMore(more) : ''}`
}

/**
 * Notifies people of changes to their future shifts, except the person who made the change. Callers leave out drafts,
 * because people do not see these.
 */
export async function notifyOfShifts(
  db: Db,
  shifts: readonly Told[],
  by: By,
  what: keyof typeof kinds = 'planned',
): Promise<void> {
  const ahead = shifts.filter((shift) => shift.userId !== by.id && isAhead(shift))
  await notifyEach(
    db,
    [...Map.groupBy(ahead, (shift) => shift.userId)].flatMap(([userId, theirs]) => {
      const [first] = theirs
      if (userId === null || !first) return []
      return spokenNotice({ to: [userId], reason: 'shifts', link: `${LINK}?day=${first.date}` }, () => {
        const words = shiftTexts()
        const kind = kinds[what]
        const [many, whose] = [`${kind}Many`, `${kind}By`] as const
        return {
          title: theirs.length === 1 ? words[kind](spokenShift(first)) : words[many](theirs.length),
          body: `${list(theirs)}. ${words[whose](by.name)}`,
        }
      })
    }),
  )
}

/**
 * Notifies the planners of a person's department, or all planners if it has none, of changes to the person's shifts.
 */
export async function notifyPlanners(
  db: Db,
  shifts: readonly (Told & Pick<Shift, 'departmentId'>)[],
  by: By,
  { title, after, userId }: { title: (shifts: string) => string; after: string; userId?: number },
): Promise<void> {
  const ahead = shifts.filter(isAhead)
  const [first] = ahead
  if (!first) return
  const concerned = userId ?? first.userId
  const to = (await plannersOf(db, first.departmentId)).filter((id) => id !== by.id && id !== concerned)
  await notify(db, {
    to,
    reason: 'shifts',
    title: title(ahead.length === 1 ? '1 shift' : `${ahead.length} shifts`),
    body: `${speakIn('en', () => list(ahead))}. ${after}`.trim(),
    link: `${LINK}?day=${first.date}`,
  })
}

/**
 * People who may take each shift: members of its department without a shift or leave at that time, except `but`. Reads the shifts of
 * these days and not of the whole history; zones and nights move a shift by less than two days.
 */
export const mayTake = (db: Db, shiftIds: readonly number[], but: By) =>
  rows<{ userId: number; shiftId: number }>(
    db,
    sql`with open as materialized (select shift_id, department_id, date, start_minute, end_minute, starts_at, ends_at from shifts
        where shift_id = any(${sql.param(shiftIds)}::int[])),
      span as materialized (select min(date) - 2 as first, max(date) + 2 as last from open)
      select u.user_id as "userId", s.shift_id as "shiftId" from open s
      join users u on u.department_id = s.department_id and u.deleted_at is null and u.user_id <> ${but.id}
      where not exists (select from shifts o where o.user_id = u.user_id and o.deleted_at is null
          and o.date between (select first from span) and (select last from span)
          and tstzrange(o.starts_at, o.ends_at) && tstzrange(s.starts_at, s.ends_at))
        and not exists (select from profiles p where p.user_id = u.user_id and (p.hired_at > s.date or p.last_day < s.date))
        and not exists (select from leaves r where r.user_id = u.user_id and ${isMetByLeave})
      order by s.starts_at`,
  )

/** Notifies the people who may take these open shifts. */
export async function announceOpen(db: Db, shifts: readonly Shift[], by: By): Promise<void> {
  const open = shifts.filter((shift) => shift.status === 'open' && isAhead(shift))
  if (!open.length || isForeseen()) return
  const openIds = open.map(({ id }) => id)
  const found = await mayTake(db, openIds, by)
  const byId = new Map(open.map((shift) => [shift.id, shift]))
  // people who may take the same shifts share one notification
  const same = Map.groupBy([...Map.groupBy(found, ({ userId }) => userId)], ([, theirs]) =>
    theirs.map(({ shiftId }) => shiftId).join(),
  )
  for (const people of same.values()) {
    const theirs = (people[0]?.[1] ?? []).flatMap(({ shiftId }) => byId.get(shiftId) ?? [])
    const [first] = theirs
    if (!first) continue
    const notice = {
      to: people.map(([userId]) => userId),
      ...{ reason: 'shifts' as const, link: `${LINK}?day=${first.date}` },
    }
    const say = () => ({
      title: theirs.length === 1 ? shiftTexts().open(spokenShift(first)) : shiftTexts().openMany(theirs.length),
      body: `${list(theirs)}. ${shiftTexts().openFirst}`,
    })
    await notify(db, spokenNotice(notice, say))
  }
}
