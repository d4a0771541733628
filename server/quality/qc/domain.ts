import { qcCalibrations } from '@innkeeper/contract/quality/qc/calibrations'
import { qc as v1 } from '@innkeeper/contract/quality/qc/calls'
import { qcChecks } from '@innkeeper/contract/quality/qc/checks'
import { qcChats } from '@innkeeper/contract/quality/qc/conversations'
import { qcCustomers } from '@innkeeper/contract/quality/qc/customers'
import { qcMine } from '@innkeeper/contract/quality/qc/mine'
import { qcReviewers } from '@innkeeper/contract/quality/qc/reviewers'
import { qcCron, qcSettings } from '@innkeeper/contract/quality/qc/settings'
import { qcSources } from '@innkeeper/contract/quality/qc/sources'
import { qcStatistics } from '@innkeeper/contract/quality/qc/statistics'
import { qcTickets } from '@innkeeper/contract/quality/qc/tickets'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { countSome, quotesIn } from '../../kit/app/quote.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { calibrationHandlers } from './calibrations/handlers.ts'
import { checkHandlers } from './checks/rules.ts'
import { runChecks } from './checks/run.ts'
import { refillAll } from './conversations/refill.ts'
import { chatHandlers, settingsHandlers, ticketHandlers, v1Handlers } from './handlers.ts'
import { assignedReviews, freeItems, openEscalations } from './holdings.ts'
import { sourceHandlers } from './imports/handlers.ts'
import { pullDue } from './imports/pull.ts'
import { remindOfLate } from './late/remind.ts'
import { mineHandlers } from './mine/handlers.ts'
import { customerHandlers } from './privacy/handlers.ts'
import { redactOld } from './privacy/redact.ts'
import { saidByOthers } from './privacy/saidByOthers.ts'
import { reviewerHandlers } from './reviewers/handlers.ts'
import { seedQuality } from './seed.ts'
import { cronHandlers } from './settings/cron.ts'
import { runCron } from './settings/runCron.ts'
import { packDays } from './statistics/days.ts'
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
    calls('qcChecks', qcChecks, checkHandlers),
    calls('qcReviewers', qcReviewers, reviewerHandlers),
    calls('qcMine', qcMine, mineHandlers),
    calls('qcCalibrations', qcCalibrations, calibrationHandlers),
    calls('qcCustomers', qcCustomers, customerHandlers),
  ],
  tables,
  rowScopes: { qc: ['qa:manager:access'] },
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
      'qa:check:read',
    ],
  },
  quotes: [
    quotesIn(
      'Ids of conversations',
      'The help desk names them so; by them, no import brings an erased conversation back',
      'qc_conversations',
      sql`external_id || ' ' || coalesce(merged_into, '')`,
    ),
    {
      place: 'Conversations of other customers',
      why: 'They belong to somebody else: look for the address in the archives, and decide about each',
      count: (db, address) => countSome(db, saidByOthers(address)),
    },
    quotesIn('Ticket cron filters', 'Settings: people change them', 'qc_cron_filters', sql`name || ' ' || value`),
    quotesIn(
      'Automatic checks',
      'Settings: people change them',
      'qc_check_rules',
      sql`name || description || words::text || patterns::text || hosts::text`,
      sql`deleted_at is null`,
    ),
    quotesIn(
      'Sources of quality',
      'Settings: people change them',
      'qc_sources',
      sql`name || config::text`,
      sql`deleted_at is null`,
    ),
    {
      place: 'Help desks',
      why: 'Innkeeper reads them. Erase the customer there, too: what they write later is imported',
      count: (db) => countSome(db, sql`select from qc_sources where deleted_at is null and is_active`),
    },
  ],
  holdings: [openEscalations, assignedReviews],
  accountDeleted: freeItems,
  seed: { at: 70, run: (db, say) => seedQuality(db, say) },
  schedules: [
    { name: 'quality: ticket cron filters', everyMs: 60_000, work: runCron },
    { name: 'quality: queue', everyMs: 300_000, work: refillAll },
    { name: 'quality: help desks', everyMs: 30_000, work: (app) => pullDue(app) },
    { name: 'quality: statistics', everyMs: 60_000, work: packDays },
    { name: 'quality: automatic checks', everyMs: 5000, work: runChecks },
    { name: 'quality: dates that passed', everyMs: 600_000, work: remindOfLate },
    { name: 'quality: retention', everyMs: 3_600_000, work: redactOld },
  ],
  secrets: [
    {
      prefix: 'qc source ',
      enter: { scope: 'qa:manager:access', at: '/qc-settings-v2/sources' },
      what: 'Key that signs imports of a source',
      again: 'Quality → Sources: make a new key and enter it at the sender.',
      of: (_, rest) => sql`select name from qc_sources where qc_source_id = ${numberIn(rest)}`,
    },
    {
      prefix: 'qc help desk ',
      enter: { scope: 'qa:manager:access', at: '/qc-settings-v2/sources' },
      what: 'Password of a help desk',
      again: 'Quality → Sources: enter it again.',
      of: (_, rest) => sql`select name from qc_sources where qc_source_id = ${numberIn(rest)}`,
    },
  ],
}
