import type { NationalEvent } from '@innkeeper/contract/planning/calendarEvents/national'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { dayInYear } from '../../calendar/rules.ts'
import { nationalEvents } from '../../calendar/tables.ts'

const YEARS = 10

const select = byIds((db, isWanted) => db.select().from(nationalEvents).where(isWanted(nationalEvents.id)))

/** National events in the order of `ids`, with the next day of each. */
export async function readNationals(db: Db, ids: number[], now: Date): Promise<NationalEvent[]> {
  const found = await select(db, ids)
  const today = now.toISOString().slice(0, 10)
  return inOrder(
    ids,
    found
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ deletedAt: _, createdBy: __, ...event }) => ({ ...event, next: nextOf(event, today) })),
  )
}

function nextOf(event: Parameters<typeof dayInYear>[0], today: string): string | null {
  const year = Number(today.slice(0, 4))
  // with an offset, the day of last year's rule may be in this year
  for (let n = event.offsetDays > 0 ? -1 : 0; n < YEARS; n++) {
    const day = dayInYear(event, year + n)
    if (day && day >= today) return day
  }
  return null
}

export async function readNational(db: Db, id: number, now: Date): Promise<NationalEvent> {
  const [event] = await readNationals(db, [id], now)
  if (!event) throw notFound('national event', id)
  return event
}
