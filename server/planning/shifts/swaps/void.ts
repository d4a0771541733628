import { sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import type { By } from '../notify.ts'
import { isMetByLeave } from '../roster/absences.ts'

/** Whether a shift is still as both people of the swap saw it, and has not begun. */
const stands = (side: 'from' | 'to', other = side) => sql`exists (select from shifts s
  where s.shift_id = ${sql.raw(`w.${side}_shift_id`)} and s.user_id = ${sql.raw(`w.${other}_user_id`)}
    and s.status = 'published' and s.deleted_at is null and s.starts_at = ${sql.raw(`w.${side}_starts_at`)}
    and s.ends_at = ${sql.raw(`w.${side}_ends_at`)} and s.starts_at > now())`

/** Whether the second person has not left; an offer to everybody has no second person until somebody accepts. */
const isHere = sql`(w.to_user_id is null or exists (select from users u
  where u.user_id = w.to_user_id and u.deleted_at is null))`

/** Whether the second person has no leave during the shift to take over, nor the first during the one in return. */
const isNotAway = sql`not exists (select from leaves r join users u on u.user_id = r.user_id
  join shifts s on (r.user_id = w.to_user_id and s.shift_id = w.from_shift_id)
    or (r.user_id = w.from_user_id and s.shift_id = w.to_shift_id)
  where ${isMetByLeave})`

/** Condition on `shift_swaps w`: neither shift changed or began, and nobody has left or is on leave by then. */
export const swapStands = sql`(${stands('from')} and ${isHere} and ${isNotAway} and (w.to_shift_id is null or ${stands('to')}))`

interface Gone {
  id: number
  fromUserId: number
  toUserId: number | null
  fromDate: string
  fromText: string
  message: string
}

/**
 * Ends open swaps whose shifts changed or began, or whose people left or got leave, and notifies both people, except the one
 * who made the change. Each change of shifts calls this function; the worker calls it every minute for shifts that
 * begin and for automations.
 */
export async function voidSwaps(db: Db, by?: By): Promise<void> {
  const gone = await rows<Gone>(
    db,
    sql`update shift_swaps v set status = 'void', version = v.version + 1, updated_at = now(),
        message = case when w.from_starts_at <= now() then w.from_text || ' has begun'
          when w.to_starts_at <= now() then w.to_text || ' has begun'
          when not ${isHere} then 'The colleague has left'
          when not ${isNotAway} then 'One of you is on leave by then'
          when ${stands('from')} then w.to_text || ' was changed' else w.from_text || ' was changed' end
      from (select * from shift_swaps w where w.status in ('offered', 'accepted') and not ${swapStands}
        order by w.shift_swap_id for update of w skip locked) w
      where v.shift_swap_id = w.shift_swap_id
      returning v.shift_swap_id as id, v.from_user_id as "fromUserId", v.to_user_id as "toUserId",
        v.from_date::text as "fromDate", v.from_text as "fromText", v.message`,
  )
  for (const swap of gone)
    await notify(db, {
      to: [swap.fromUserId, swap.toUserId].filter((id) => id !== null).filter((id) => id !== by?.id),
      reason: 'shifts',
      title: `The swap of ${swap.fromText} is void`,
      body: `${swap.message}. The shifts stay with their people.`,
      link: `/calendar/shifts?day=${swap.fromDate}&swaps=open`,
    })
  if (gone.length) await changed(db, 'shifts')
}
