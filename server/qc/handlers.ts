import type { qc as v1 } from '@innkeeper/contract/qc'
import type { qcSettings } from '@innkeeper/contract/qc/settings'
import type { qcTickets } from '@innkeeper/contract/qc/tickets'
import type { Handlers } from '../kit/http/api.ts'
import { cronHandlers } from './settings/cron.ts'
import { previewHandlers } from './settings/cronMatches.ts'
import { gradeHandlers } from './settings/grades.ts'
import { queueHandlers } from './settings/queue.ts'
import { tagHandlers } from './settings/tags.ts'
import { typeHandlers } from './settings/types.ts'

/** Both faces share their handlers. */
const shared = { ...tagHandlers, ...gradeHandlers, ...typeHandlers }

export const v1Handlers: Handlers<typeof v1> = { ...shared }
export const settingsHandlers: Handlers<typeof qcSettings> = { ...shared, ...queueHandlers, ...previewHandlers }
export const ticketHandlers: Handlers<typeof qcTickets> = { ...cronHandlers }
