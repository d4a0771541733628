import { qcCalibrations } from '@innkeeper/contract/quality/qc/calibrations'
import { qcChecks } from '@innkeeper/contract/quality/qc/checks'
import { qcChats } from '@innkeeper/contract/quality/qc/conversations'
import { qcCustomers } from '@innkeeper/contract/quality/qc/customers'
import { qcMine } from '@innkeeper/contract/quality/qc/mine'
import { qcReviewers } from '@innkeeper/contract/quality/qc/reviewers'
import { qcSettings } from '@innkeeper/contract/quality/qc/settings'
import { qcSources } from '@innkeeper/contract/quality/qc/sources'
import { qcStatistics } from '@innkeeper/contract/quality/qc/statistics'
import { qcTickets } from '@innkeeper/contract/quality/qc/tickets'
import { v1Conversations } from '@innkeeper/contract/quality/qc/v1'
import { v1Cases } from '@innkeeper/contract/quality/qc/v1Cases'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { bind, type Client } from '../../kit/api/client.ts'

/** Both sets of screens use the calls of v2, and of v1 only the calls that v2 lacks. */
export const qcApi = bind('qc', { ...v1Conversations, ...v1Cases })
export const qcSettingsApi = bind('qc', qcSettings)
export const qcStatisticsApi = bind('qc', qcStatistics)
export const qcMineApi = bind('qc', qcMine)
export const qcSourcesApi = bind('qc', qcSources)
export const qcCustomersApi = bind('qc', qcCustomers)
export const qcCalibrationsApi = bind('qc', qcCalibrations)
export const qcChecksApi = bind('qc', qcChecks)
export const qcReviewersApi = bind('qc', qcReviewers)
export const qcTicketsApi = bind('qc', qcTickets)
export const qcChatsApi = bind('qc', qcChats)

/** The calls of a kind. One contract factory makes both, so they differ in their paths only. */
export const apiOf = (kind: Kind): Client<typeof qcChats> =>
  kind === 'chat' ? qcChatsApi : (qcTicketsApi as unknown as Client<typeof qcChats>)
