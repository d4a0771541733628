import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'

interface Span {
  /** 0: not stored yet. */
  id: number
  userId: number
  teamId: number
  from: string
  to: string | null
  isAdditional: boolean
}

/** Throws beside the field if the membership ends before it begins, or overlaps another one. */
export async function checkSpan(db: Db, { id, userId, teamId, from, to, isAdditional }: Span): Promise<void> {
  if (to !== null && to < from) throw refused('The end is before the beginning', { to: 'Before the first day' })
  const [other] = await rows<{ team: string; isSame: boolean; from: string; to: string | null }>(
    db,
    sql`select t.name as team, m.team_id = ${teamId} as "isSame", m.starts_on::text as from, m.ends_on::text as to
      from dossier_memberships m join dossier_teams t on t.dossier_team_id = m.team_id
      where m.user_id = ${userId} and m.deleted_at is null and m.dossier_membership_id <> ${id}
        and (m.team_id = ${teamId} or not m.is_additional and not ${isAdditional})
        and daterange(m.starts_on, m.ends_on, '[]') && daterange(${from}::date, ${to}::date, '[]')
      order by m.starts_on limit 1`,
  )
  if (!other) return
  const when = `from ${other.from}${other.to ? ` to ${other.to}` : ''}`
  const text = `In ${other.team} ${when}`
  throw conflict(
    other.isSame ? `${text}: a person is in a team once at a time` : `${text}: end it before, or make one additional`,
    { fields: { [other.from >= from && to !== null ? 'to' : 'from']: text } },
  )
}

/** Ends the main membership that is current on a day, with the day before as its last day. */
export async function endPrevious(db: Db, userId: number, from: string): Promise<void> {
  await db.execute(sql`update dossier_memberships set ends_on = ${from}::date - 1, version = version + 1, updated_at = now()
    where user_id = ${userId} and deleted_at is null and not is_additional and starts_on < ${from}::date
      and (ends_on is null or ends_on >= ${from}::date)`)
}

/** Ends current memberships today, and deletes those that would begin later. */
export async function endMemberships(db: Db, userId: number, today: string): Promise<void> {
  await db.execute(sql`update dossier_memberships set deleted_at = now(), version = version + 1
    where user_id = ${userId} and deleted_at is null and starts_on > ${today}::date`)
  await db.execute(sql`update dossier_memberships set ends_on = ${today}::date, version = version + 1, updated_at = now()
    where user_id = ${userId} and deleted_at is null and (ends_on is null or ends_on > ${today}::date)`)
}
