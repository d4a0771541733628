import { calendarEvents as calendarEventsContract } from '@innkeeper/contract/planning/calendarEvents/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { giveUpSeats } from './attendants/seats.ts'
import { feedEntries } from './entries/feedEntries.ts'
import { calendarEventsHandlers } from './handlers.ts'
import { organisedEvents } from './holdings.ts'
import { seedEvents, seedWorkplaces } from './seed.ts'
import * as tables from './tables.ts'

export const calendarEvents: Domain = {
  calls: [calls('calendarEvents', calendarEventsContract, calendarEventsHandlers)],
  tables,
  readScopes: {
    calendarEvents: ['calendar:event:read', 'calendar:national-event:read', 'calendar:repeatable-event:read'],
  },
  departmentsOf: {
    calendarEvents: (ids) =>
      sql`select event_id as id, array_remove(array[department_id], null) as departments from events where event_id = any(${ids})`,
  },
  feed: feedEntries,
  holdings: [organisedEvents],
  accountDeleted: (db, { id }) => giveUpSeats(db, id),
  seed: {
    at: 10,
    async run(db, say) {
      await seedWorkplaces(db)
      await seedEvents(db, say)
    },
  },
}
