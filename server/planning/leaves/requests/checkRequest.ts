import { type LeavePart, LONGEST_DAYS } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { invalid, said } from '../../../kit/http/errors.ts'
import { closedMonths, readClosed } from '../../calendar/closedMonths.ts'
import { addDays, daysFromTo, yearOf } from '../../calendar/days.ts'
import { calendarsOfPeople } from '../../calendar/holidays.ts'
import { todayIn } from '../../calendar/places.ts'
import { count, meet, type Span } from '../days/leaveDays.ts'
import { countByRoster, weeksOf } from '../days/rosterDays.ts'
import { readBalances } from '../entitlements/balances.ts'
import { grantedYears, isOpenYear } from '../entitlements/ledger.ts'
import { findType } from '../entitlements/types.ts'
import { rosteredFor } from '../followers.ts'
import { leaveTexts } from '../texts.ts'
import { away } from '../view.ts'
import { type Clash, type Examined, problemsOf } from './problems.ts'

export interface Wanted {
  userId: number
  typeId: number
  startDate: string
  endDate: string
  startPart?: LeavePart | undefined
  endPart?: LeavePart | undefined
}

interface Way {
  /** The caller has locked with `lockBalances`, and no month is closed until the transaction ends. */
  taking: boolean
  /** The reader may know the person's balances and the kinds of their leaves. */
  isShown: boolean
}

/** Checks a requested leave. Throws a 400 for invalid days. */
export async function examine(db: Db, wanted: Wanted, now: Date, { taking, isShown }: Way): Promise<Examined> {
  const span = spanOf(wanted)
  const type = await findType(db, wanted.typeId)
  const { startDate: from, endDate: to } = span
  const calendars = await calendarsOfPeople(db, { from, to, userIds: [wanted.userId] })
  const calendar = calendars.get(wanted.userId)! // the map has all requested people
  const weeks = weeksOf(span)
  const byRoster =
    type.charge === 'days'
      ? undefined
      : countByRoster(
          span,
          type.charge,
          await rosteredFor(db, { id: 0, userId: wanted.userId, from: addDays(weeks.from, -1), to: weeks.to }),
          calendar,
        )
  const counted = byRoster ?? count(span, type, calendar)
  const years: Examined['years'] = []
  for (const [year, halves] of counted.years) {
    const [balance] = (await readBalances(db, [wanted.userId], year)).filter(({ type: { id } }) => id === type.id)
    years.push({ year, halves, left: type.deductsBalance && balance ? balance.balance * 2 : null })
  }
  const shutYear = type.deductsBalance ? await shutYearOf(db, wanted, [...counted.years.keys()], now) : undefined
  const employed = await employmentOf(db, wanted.userId)
  const found = await clashOf(db, wanted.userId, span)
  const clash = found && (isShown ? found : { ...found, typeCode: away.typeCode, typeName: away.typeName })
  const [closed] = await (taking ? closedMonths : readClosed)(db, from, to)
  const documentNeeded = type.documentFromDays !== null && counted.halves >= type.documentFromDays * 2
  return {
    type,
    span,
    counted,
    years,
    documentNeeded,
    clash,
    shifts: byRoster ? byRoster.shifts : null,
    problems: problemsOf({ type, span, counted, years, clash, closed, shutYear, isShown, ...employed }),
  }
}

/** The span with both day parts set. 400 for an invalid span. */
function spanOf({ startDate, endDate, startPart = 'full', endPart }: Wanted): Span {
  const days = daysFromTo(startDate, endDate)
  if (days < 1) throw said(() => invalid({ endDate: leaveTexts().endFirst }))
  if (days > LONGEST_DAYS) throw said(() => invalid({ endDate: leaveTexts().tooLong(LONGEST_DAYS, days) }))
  if (days === 1) {
    if (endPart !== undefined && endPart !== startPart) throw said(() => invalid({ endPart: leaveTexts().oneDayPart }))
    return { startDate, endDate, startPart, endPart: startPart }
  }
  if (startPart === 'morning') throw said(() => invalid({ startPart: leaveTexts().firstPart }))
  if (endPart === 'afternoon') throw said(() => invalid({ endPart: leaveTexts().lastPart }))
  return { startDate, endDate, startPart, endPart: endPart ?? 'full' }
}

/** First and last day of a person at work, as far as they are known. */
async function employmentOf(db: Db, userId: number) {
  const [profile] = await rows<{ firstDay: string | null; lastDay: string | null }>(
    db,
    sql`select hired_at::text as "firstDay", last_day::text as "lastDay" from profiles where user_id = ${userId}`,
  )
  return { firstDay: profile?.firstDay ?? undefined, lastDay: profile?.lastDay ?? undefined }
}

async function clashOf(db: Db, userId: number, span: Span): Promise<Clash | undefined> {
  const found = await rows<Clash>(
    db,
    sql`select r.leave_id as id, r.status, t.code as "typeCode", t.name as "typeName", r.start_date::text as "startDate",
        r.end_date::text as "endDate", r.start_part as "startPart", r.end_part as "endPart"
      from leaves r join leave_types t on t.leave_type_id = r.leave_type_id
      where r.user_id = ${userId} and r.status in ('pending', 'approved')
        and r.start_date <= ${span.endDate}::date and r.end_date >= ${span.startDate}::date order by r.start_date`,
  )
  return found.find((other) => meet(span, other))
}

/** Why the balance of one of these years cannot be used: too long ago, or too far ahead. */
async function shutYearOf(db: Db, { userId, typeId }: Wanted, years: readonly number[], now: Date) {
  const today = await todayIn(db, now)
  const stored = await grantedYears(db, userId, typeId)
  const shut = years.find((year) => !isOpenYear(year, today) && !stored.includes(year))
  if (shut === undefined) return undefined
  return shut < yearOf(today) ? leaveTexts().yearClosed(shut) : leaveTexts().yearOpens(shut)
}
