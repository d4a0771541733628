import type { Link } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type Group, keyOf, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { holds } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { visibleWorkflows } from '../../../kit/work/visible.ts'
import { info } from '../info.ts'

/** Whoever reads the page of an item. */
export type Reader = Pick<Context, 'db' | 'staff' | 'app'>

interface Found {
  id: number
  kind: Link['kind']
  direction: Link['direction']
  targetId: number
  tracker: Tracker | null
  face: Tracker | null
  number: number | null
  title: string | null
  group: Group | null
  name: string | null
  isGone: boolean
}

/** Permission that is required to see the name of a target. Workflows have the rules of their list. */
export const sight = { website: 'website:website:read', server: 'server:server:read', review: 'qa:chat:read' } as const

/** Links of an item in both directions, with its duplicates and the item that it duplicates. */
export async function linksOf({ db, staff, app }: Reader, itemId: number): Promise<Link[]> {
  const visible = visibleWorkflows(app.subjects, staff) ?? sql`false`
  const found = await rows<Found>(
    db,
    sql`select l.tracker_link_id as id, l.kind, case when l.item_id = ${itemId} then 'out' else 'in' end as direction,
        case when l.item_id = ${itemId} then l.target_id else l.item_id end as "targetId",
        t.face as tracker, t.face, t.number, t.title, t.status_group as "group",
        case l.kind when 'website' then (select w.domain from websites w where w.website_id = l.target_id)
          when 'server' then (select v.name from servers v where v.server_id = l.target_id)
          when 'workflow' then (select kind || ' ' || subject_name from workflows where workflow_id = l.target_id and ${visible}) end as name,
        not case l.kind when 'website' then exists (select from websites w where w.website_id = l.target_id and w.deleted_at is null)
          when 'server' then exists (select from servers v where v.server_id = l.target_id and v.deleted_at is null)
          when 'workflow' then exists (select from workflows f where f.workflow_id = l.target_id)
          when 'review' then exists (select from qc_reviews r where r.qc_review_id = l.target_id and r.deleted_at is null)
          else t.deleted_at is null end as "isGone"
      from tracker_links l left join tracker_items t on l.kind in ('blocks', 'relates')
        and t.tracker_item_id = case when l.item_id = ${itemId} then l.target_id else l.item_id end
      where l.item_id = ${itemId} or (l.kind in ('blocks', 'relates') and l.target_id = ${itemId})
      union all
      select d.tracker_item_id, 'duplicate', case when d.tracker_item_id = ${itemId} then 'out' else 'in' end,
        o.tracker_item_id, o.face, o.face, o.number, o.title, o.status_group, null, o.deleted_at is not null
      from tracker_items d join tracker_items o on o.tracker_item_id = case when d.tracker_item_id = ${itemId} then d.duplicate_of_id else d.tracker_item_id end
      where (d.tracker_item_id = ${itemId} and d.duplicate_of_id is not null) or d.duplicate_of_id = ${itemId}
      order by 1 limit 500`,
  )
  return found.map((row) => shown(staff, row))
}

function shown(staff: Staff, { number, title, group, name, ...link }: Found): Link {
  const { kind, tracker } = link
  const isClosed = group !== null && closed.includes(group)
  if (kind === 'blocks' || kind === 'relates' || kind === 'duplicate') {
    const sees = tracker !== null && number !== null && holds(staff, info[tracker].read)
    return { ...link, isClosed, label: sees ? `${keyOf(tracker, number)} ${title}` : null }
  }
  const label = kind === 'review' ? `Review ${link.targetId}` : name
  return { ...link, isClosed, label: kind === 'workflow' || holds(staff, sight[kind]) ? label : null }
}
