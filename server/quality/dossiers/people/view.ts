import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { holdsOn, managerOf } from '../memberships/current.ts'

const select = rowsByIds<DossierUser>((isWanted) => {
  const today = sql`${sql.placeholder('today')}::date`
  return sql`select d.user_id as id, d.version, d.created_at as "createdAt", d.updated_at as "updatedAt",
      ${personName('u')} as name, e.name as "departmentName", d.started_on::text as "startedOn", d.about,
      case when t.dossier_team_id is not null then json_build_object('id', t.dossier_team_id, 'name', t.name) end as team,
      case when p.dossier_position_id is not null then json_build_object('id', p.dossier_position_id, 'name', p.name) end as position,
      (select json_build_object('id', x.user_id, 'name', ${personName('x')}) from users x
        where x.user_id = ${managerOf(sql`d.user_id`, today)}) as manager,
      u.deleted_at is not null as "isGone", d.deleted_at as "closedAt", d.erased_at as "erasedAt"
    from dossiers d join users u on u.user_id = d.user_id
      left join departments e on e.department_id = u.department_id and e.deleted_at is null
      left join lateral (select m.team_id, m.position_id from dossier_memberships m
        where m.user_id = d.user_id and not m.is_additional and ${holdsOn('m', today)} limit 1) m on true
      left join dossier_teams t on t.dossier_team_id = m.team_id and t.deleted_at is null
      left join dossier_positions p on p.dossier_position_id = m.position_id and p.deleted_at is null
    where ${isWanted(sql`d.user_id`)}`
})

export async function readDossiers({ db, now }: Context, ids: number[]): Promise<DossierUser[]> {
  const found = await select(db, ids, { today: await todayIn(db, now) })
  return inOrder(ids, found).map((row) => withInstants(row, ['createdAt', 'updatedAt', 'closedAt', 'erasedAt']))
}

/** 404 for a closed dossier, which only the list of closed dossiers shows. */
export async function readDossier(context: Context, id: number): Promise<DossierUser> {
  const [dossier] = await readDossiers(context, [id])
  if (!dossier || dossier.closedAt) throw notFound('dossier', id)
  return dossier
}
