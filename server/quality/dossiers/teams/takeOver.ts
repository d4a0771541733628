import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { todayIn } from '../../../planning/calendar/places.ts'

interface Passed {
  userId: number
  positionId: number | null
  endsOn: string | null
  isAdditional: boolean
}

/**
 * Moves members from today on, and lower teams, to another team. Refuses if a person would be in that team twice on the same
 * day.
 */
export async function handOverMembers(
  { db, now, staff }: Context,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const today = sql`${await todayIn(db, now)}::date`
  const twice = await rows<{ name: string }>(
    db,
    sql`select distinct ${personName('u')} as name from dossier_memberships a
      join dossier_memberships b on b.user_id = a.user_id and b.team_id = ${to} and b.deleted_at is null
        and daterange(a.starts_on, a.ends_on, '[]') && daterange(b.starts_on, b.ends_on, '[]')
      join users u on u.user_id = a.user_id
      where a.team_id = ${from} and a.deleted_at is null and (a.ends_on is null or a.ends_on >= ${today})
        and (b.ends_on is null or b.ends_on >= ${today}) order by 1 limit 5`,
  )
  if (twice.length) {
    const text = `In both teams at once: ${twice.map(({ name }) => name).join(', ')}. End one of the memberships first.`
    throw conflict(text, { fields: { replacementId: text } })
  }
  // the days before today stay in the former team: what people did then was done there
  await db.execute(sql`update dossier_memberships set team_id = ${to}, version = version + 1, updated_at = now()
    where team_id = ${from} and deleted_at is null and starts_on >= ${today}`)
  const current = sql`team_id = ${from} and deleted_at is null and starts_on < ${today} and (ends_on is null or ends_on >= ${today})`
  const ended = await rows<Passed>(
    db,
    sql`select user_id as "userId", position_id as "positionId", ends_on::text as "endsOn",
        is_additional as "isAdditional" from dossier_memberships where ${current} for update`,
  )
  await db.execute(
    sql`update dossier_memberships set ends_on = ${today} - 1, version = version + 1, updated_at = now() where ${current}`,
  )
  await db.execute(sql`insert into dossier_memberships (user_id, team_id, position_id, starts_on, ends_on, is_additional, created_by)
    select p."userId", ${to}, p."positionId", ${today}, p."endsOn"::date, p."isAdditional", ${staff.id}
    from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as p("userId" int, "positionId" int, "endsOn" text, "isAdditional" boolean)`)
  await db.execute(sql`update dossier_teams set parent_id = ${to}, version = version + 1, updated_at = now()
    where parent_id = ${from} and deleted_at is null`)
}
