import type { qc as v1 } from '@innkeeper/contract/quality/qc/calls'
import type { qcChats } from '@innkeeper/contract/quality/qc/conversations'
import type { qcSettings } from '@innkeeper/contract/quality/qc/settings'
import type { qcTickets } from '@innkeeper/contract/quality/qc/tickets'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import type { Handlers } from '../../kit/http/api.ts'
import { queueHandlers } from './conversations/queue.ts'
import { escalationHandlers } from './escalations/handlers.ts'
import { feedbackHandlers } from './feedback/handlers.ts'
import { reviewHandlers } from './reviews/handlers.ts'
import { drawHandlers } from './sample/handlers.ts'
import { cronHandlers } from './settings/cron.ts'
import { previewHandlers } from './settings/cronMatches.ts'
import { gradeHandlers } from './settings/grades.ts'
import { queueHandlers as queueSettings } from './settings/queue.ts'
import { tagHandlers } from './settings/tags.ts'
import { typeHandlers } from './settings/types.ts'
import { talkHandlers } from './talk/handlers.ts'
import { v1CaseHandlers, v1ConversationHandlers, v1TalkHandlers } from './v1.ts'

/** Handlers that API v1 and v2 share. */
const settings = { ...tagHandlers, ...gradeHandlers, ...typeHandlers }

const ofKind = (kind: Kind): Handlers<typeof qcChats> => ({
  ...queueHandlers(kind),
  ...reviewHandlers(kind),
  ...talkHandlers(kind),
  ...escalationHandlers(kind),
  ...feedbackHandlers(kind),
})

export const v1Handlers: Handlers<typeof v1> = {
  ...settings,
  ...v1ConversationHandlers,
  ...v1TalkHandlers,
  ...v1CaseHandlers,
}
export const settingsHandlers: Handlers<typeof qcSettings> = {
  ...settings,
  ...queueSettings,
  ...drawHandlers,
  ...previewHandlers,
}
export const chatHandlers = ofKind('chat')
export const ticketHandlers: Handlers<typeof qcTickets> = { ...ofKind('ticket'), ...cronHandlers }
