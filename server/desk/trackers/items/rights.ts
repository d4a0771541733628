import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { holds } from '@innkeeper/contract/kit/access'
import type { Staff } from '../../../kit/access/sessions.ts'
import { denied } from '../../../kit/http/errors.ts'
import { info } from '../info.ts'

/**
 * Throws a 403 if a new ticket has an assignee, or another status than new tickets have, and the caller lacks the
 * permission for it. Bugs and feature requests have no separate permissions.
 */
export function checkNew(staff: Staff, tracker: Tracker, item: { isAssigned: boolean; hasOtherStatus: boolean }): void {
  if (tracker !== 'ticket') return
  const { assign, status } = info.ticket
  const needed = [...(item.isAssigned ? [assign] : []), ...(item.hasOtherStatus ? [status] : [])]
  const lacking = needed.filter((scope) => !holds(staff, scope))
  if (lacking.length) throw denied(lacking)
}
