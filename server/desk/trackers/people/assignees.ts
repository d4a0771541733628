import type { internalTickets } from '@innkeeper/contract/desk/trackers/internalTickets'
import { sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { readersOf } from './notify.ts'

interface Row {
  id: number
  name: string
  departmentName: string | null
  open: number
  refreshedAt: string | Date
}

/** The people of the last update, without deleted ones, with their numbers of open tickets. */
async function listAssignees(db: Db) {
  const found = await rows<Row>(
    db,
    sql`select u.user_id as id, ${personName('u')} as name, d.name as "departmentName", a.refreshed_at as "refreshedAt",
        (select count(*)::int from tracker_items i where i.assignee_id = u.user_id and i.face = 'ticket'
          and i.status_group not in ('completed', 'cancelled') and i.deleted_at is null and i.archived_at is null) as open
      from tracker_assignees a join users u on u.user_id = a.user_id and u.deleted_at is null
        left join departments d on d.department_id = u.department_id
      where a.face = 'ticket' order by 2, 1`,
  )
  const items = found.map(({ id, name, departmentName, open }) => ({ id, name, departmentName, open }))
  const [first] = found
  return { items, total: items.length, refreshedAt: first ? isoOf(first.refreshedAt) : null }
}

export const assigneeHandlers: Pick<Handlers<typeof internalTickets>, 'assignees' | 'refreshAssignees'> = {
  assignees: (_, { db }) => listAssignees(db),

  async refreshAssignees(_, { db, audit }) {
    const people = await readersOf(db, 'ticket')
    await db.execute(sql`delete from tracker_assignees where face = 'ticket'`)
    await db.execute(sql`insert into tracker_assignees (face, user_id)
      select 'ticket', id from unnest(${sql.param(people.map(({ id }) => id))}::int[]) as id`)
    audit.after({ people: people.length })
    await changed(db, info.ticket.hint)
    return listAssignees(db)
  },
}
