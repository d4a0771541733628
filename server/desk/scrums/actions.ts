import type { scrums as contract } from '@innkeeper/contract/desk/scrums/calls'
import { and, eq } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { openInternalTicket } from '../trackers/open.ts'
import { holdOwn } from './audits.ts'
import { scrumActions as table } from './tables.ts'
import { findAudit, logged } from './view.ts'

export const actionHandlers: Pick<Handlers<typeof contract>, 'addAction' | 'removeAction'> = {
  async addAction({ id, title, description, componentId = null }, context) {
    const { db, staff, audit } = context
    const { items, name, user } = await holdOwn(context, id)
    if (componentId !== null && !items.some((item) => item.componentId === componentId))
      throw refused('The audit does not score this component', {
        componentId: 'The audit does not score this component',
      })
    // without an assignee who may open the ticket, the ticket stays unassigned
    const seers = await holdersOf(db, 'internal-ticket:ticket:read')
    const { id: ticketId } = await openInternalTicket(db, {
      ...{ title, by: staff, assigneeId: seers.includes(user.id) ? user.id : null },
      description: [description, `Agreed in the audit “${name}” of ${user.name}.`].filter(Boolean).join('\n\n'),
    })
    await db.insert(table).values({ auditId: id, componentId, title, ticketId, createdBy: staff.id })
    await changed(db, 'internalTickets', ticketId)
    const after = await findAudit(db, staff, id)
    audit.after(logged(after))
    await changed(db, 'scrums', id)
    return after
  },

  async removeAction({ id, action }, context) {
    const { db, staff, audit } = context
    await holdOwn(context, id)
    const gone = await db
      .delete(table)
      .where(and(eq(table.id, action), eq(table.auditId, id)))
      .returning()
    if (!gone.length) throw notFound('action', action)
    const after = await findAudit(db, staff, id)
    audit.after(logged(after))
    await changed(db, 'scrums', id)
    return after
  },
}
