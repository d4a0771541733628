import type { scrums as contract } from '@innkeeper/contract/desk/scrums/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { actionHandlers } from './actions.ts'
import { auditHandlers } from './audits.ts'
import { componentHandlers } from './components.ts'
import { findUser, pageOfAudits, trendOf } from './list.ts'
import { settingsHandlers } from './settings.ts'
import { findAudit } from './view.ts'

export const scrumsHandlers: Handlers<typeof contract> = {
  ...auditHandlers,
  ...actionHandlers,
  ...componentHandlers,
  ...settingsHandlers,

  audits: (input, { db, staff }) => pageOfAudits(db, staff, input),

  async auditsOf({ id, ...input }, { db, staff }) {
    await findUser(db, id)
    return pageOfAudits(db, staff, { ...input, userId: [id] })
  },

  trend: ({ id }, { db, staff }) => trendOf(db, staff, id),

  audit: ({ id }, { db, staff }) => findAudit(db, staff, id),
}
