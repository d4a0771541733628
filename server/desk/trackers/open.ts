import { type Group, keyOf } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { insertItem } from './items/insert.ts'

interface Wanted {
  title: string
  description?: string | undefined
  assigneeId?: number | null | undefined
  /** Due day. */
  dueOn?: string | null | undefined
  /** Person who opens the ticket and watches it. */
  by: { id: number; name: string }
}

/**
 * Opens an internal ticket for another domain, in its transaction, with default status and priority. 422 for an
 * assignee who may not see internal tickets.
 */
export async function openInternalTicket(db: Db, { by, ...fields }: Wanted): Promise<{ id: number; key: string }> {
  const id = await insertItem(db, by, 'ticket', fields)
  const [ticket] = await statesOfTickets(db, [id])
  return { id, key: ticket!.key } // just inserted
}

export interface TicketState {
  id: number
  key: string
  title: string
  status: string
  group: Group
  assigneeName: string | null
}

/** States of tickets for the domains that opened them. Deleted tickets are left out. */
export async function statesOfTickets(db: Db, ids: readonly number[]): Promise<TicketState[]> {
  if (!ids.length) return []
  const found = await rows<Omit<TicketState, 'key'> & { number: number }>(
    db,
    sql`select i.tracker_item_id as id, i.number, i.title, s.name as status, i.status_group as "group",
        ${personName('u')} as "assigneeName"
      from tracker_items i join tracker_settings s on s.tracker_setting_id = i.status_id left join users u on u.user_id = i.assignee_id
      where i.face = 'ticket' and i.deleted_at is null and i.tracker_item_id = any(${sql.param([...ids])}::int[])`,
  )
  return found.map(({ number, ...row }) => ({ ...row, key: keyOf('ticket', number) }))
}
