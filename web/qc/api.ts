import { qcSettings } from '@innkeeper/contract/qc/settings'
import { qcTickets } from '@innkeeper/contract/qc/tickets'
import { bind } from '../kit/api/client.ts'

/** Both faces call v2: v1's calls have the same handlers. */
export const qcSettingsApi = bind('qc', qcSettings)
export const qcTicketsApi = bind('qc', qcTickets)
