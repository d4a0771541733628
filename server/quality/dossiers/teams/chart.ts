import type { ChartTeam } from '@innkeeper/contract/quality/dossiers/shapes'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { personName, personOf } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { holdsOn } from '../memberships/current.ts'

/** The teams of today with the members of a day. */
export async function readChart({ db, now }: Context, date?: string): Promise<{ date: string; teams: ChartTeam[] }> {
  const day = date ?? (await todayIn(db, now))
  const teams = await rows<Omit<ChartTeam, 'people'>>(
    db,
    sql`select t.dossier_team_id as id, t.version, t.name, a.dossier_team_id as "parentId", ${personOf('t.manager_id')} as manager
      from dossier_teams t left join dossier_teams a on a.dossier_team_id = t.parent_id and a.deleted_at is null
      where t.deleted_at is null order by lower(t.name), t.dossier_team_id`,
  )
  const people = await rows<ChartTeam['people'][number] & { teamId: number }>(
    db,
    sql`select m.team_id as "teamId", m.dossier_membership_id as "membershipId", m.version, m.user_id as "userId",
        ${personName('u')} as name, p.name as "positionName", p.level, m.is_additional as "isAdditional"
      from dossier_memberships m join users u on u.user_id = m.user_id
      left join dossier_positions p on p.dossier_position_id = m.position_id
      where ${holdsOn('m', sql`${day}::date`)} order by p.level nulls last, lower(${personName('u')}), m.user_id`,
  )
  const byTeam = Map.groupBy(people, ({ teamId }) => teamId)
  const membersOf = (id: number) => (byTeam.get(id) ?? []).map(({ teamId: _, ...person }) => person)
  return { date: day, teams: teams.map((team) => ({ ...team, people: membersOf(team.id) })) }
}
