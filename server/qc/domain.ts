import { qc as v1 } from '@innkeeper/contract/qc'
import { qcChats } from '@innkeeper/contract/qc/conversations'
import { qcCron, qcSettings } from '@innkeeper/contract/qc/settings'
import { qcSources } from '@innkeeper/contract/qc/sources'
import { qcStatistics } from '@innkeeper/contract/qc/statistics'
import { qcTickets } from '@innkeeper/contract/qc/tickets'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { refillAll } from './conversations/refill.ts'
import { chatHandlers, settingsHandlers, ticketHandlers, v1Handlers } from './handlers.ts'
import { sourceHandlers } from './imports/handlers.ts'
import { cronHandlers } from './settings/cron.ts'
import { runCron } from './settings/runCron.ts'
import { statisticsHandlers } from './statistics/handlers.ts'
import * as tables from './tables.ts'

export const qc: Domain = {
  calls: [
    calls('qc', v1, v1Handlers),
    calls('qcChats', qcChats, chatHandlers),
    calls('qcSources', qcSources, sourceHandlers),
    calls('qcStatistics', qcStatistics, statisticsHandlers),
    calls('qcTickets', qcTickets, ticketHandlers),
    calls('qcSettings', qcSettings, settingsHandlers),
    calls('qcCron', qcCron, cronHandlers),
  ],
  tables,
  readScopes: {
    qc: [
      'qa:chat:read',
      'qa:ticket:read',
      'qa:escalation:read',
      'qa:feedback:read',
      'qa:statistics:read',
      'qa:tag:read',
      'qa:score-type:read',
      'qa:cron:read',
    ],
  },
  schedules: [
    { name: 'quality: ticket cron filters', everyMs: 60_000, work: runCron },
    { name: 'quality: queue', everyMs: 300_000, work: refillAll },
  ],
}
