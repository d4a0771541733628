import { bugs } from '@innkeeper/contract/desk/trackers/bugs'
import { features } from '@innkeeper/contract/desk/trackers/features'
import { internalTickets } from '@innkeeper/contract/desk/trackers/internalTickets'
import * as settings from '@innkeeper/contract/desk/trackers/settings'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { countSome } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { bugHandlers, featureHandlers, ticketHandlers } from './handlers.ts'
import { assignedItems } from './people/holdings.ts'
import { remindOfLateItems } from './people/late.ts'
import { seedTrackers } from './seed.ts'
import { settingHandlers } from './settings/handlers.ts'
import * as tables from './tables.ts'

export const trackers: Domain = {
  calls: [
    calls('bugs', bugs, bugHandlers),
    calls('features', features, featureHandlers),
    calls('internalTickets', internalTickets, ticketHandlers),
    calls('bugStatuses', settings.bugStatuses, settingHandlers('bug', 'status')),
    calls('bugPriorities', settings.bugPriorities, settingHandlers('bug', 'priority')),
    calls('bugComponents', settings.bugComponents, settingHandlers('bug', 'component')),
    calls('bugFolders', settings.bugFolders, settingHandlers('bug', 'folder')),
    calls('bugDepartments', settings.bugDepartments, settingHandlers('bug', 'department')),
    calls('featureStatuses', settings.featureStatuses, settingHandlers('feature', 'status')),
    calls('featurePriorities', settings.featurePriorities, settingHandlers('feature', 'priority')),
    calls('ticketStatuses', settings.ticketStatuses, settingHandlers('ticket', 'status')),
    calls('ticketPriorities', settings.ticketPriorities, settingHandlers('ticket', 'priority')),
    calls('ticketComponents', settings.ticketComponents, settingHandlers('ticket', 'component')),
  ],
  tables,
  quotes: [
    {
      place: 'Bugs, feature requests and internal tickets',
      why: 'Their authors change them',
      count: (db, address) =>
        countSome(db, sql`select from tracker_words where words @@ plainto_tsquery('simple', ${address})`),
    },
  ],
  readScopes: {
    bugs: ['bug-report:bug:read'],
    features: ['feature-request:feature:read'],
    internalTickets: ['internal-ticket:ticket:read'],
    bugStatuses: ['bug-report:status:read'],
    bugPriorities: ['bug-report:priority:read'],
    bugComponents: ['bug-report:component:read'],
    bugFolders: ['bug-report:folder:read'],
    bugDepartments: ['bug-report:department:read'],
    featureStatuses: ['feature-request:feature:read'],
    featurePriorities: ['feature-request:feature:read'],
    ticketStatuses: ['internal-ticket:settings:read'],
    ticketPriorities: ['internal-ticket:settings:read'],
    ticketComponents: ['internal-ticket:settings:read'],
  },
  schedules: [{ name: 'due days of trackers', everyMs: 3_600_000, work: remindOfLateItems }],
  holdings: [assignedItems],
  seed: { at: 70, run: (db, say) => seedTrackers(db, say) },
}
