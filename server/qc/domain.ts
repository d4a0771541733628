import { qc as v1 } from '@innkeeper/contract/qc'
import { qcCron, qcSettings } from '@innkeeper/contract/qc/settings'
import { qcTickets } from '@innkeeper/contract/qc/tickets'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { settingsHandlers, ticketHandlers, v1Handlers } from './handlers.ts'
import { cronHandlers } from './settings/cron.ts'
import { runCron } from './settings/runCron.ts'
import * as tables from './tables.ts'

export const qc: Domain = {
  calls: [
    calls('qc', v1, v1Handlers),
    calls('qcTickets', qcTickets, ticketHandlers),
    calls('qcSettings', qcSettings, settingsHandlers),
    calls('qcCron', qcCron, cronHandlers),
  ],
  tables,
  readScopes: { qc: ['qa:chat:read', 'qa:ticket:read', 'qa:tag:read', 'qa:score-type:read', 'qa:cron:read'] },
  schedules: [{ name: 'quality: ticket cron filters', everyMs: 60_000, work: runCron }],
}
