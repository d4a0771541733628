import { calendarEvents } from '@innkeeper/contract/planning/calendarEvents/calls'
import { bind } from '../../kit/api/client.ts'

export const eventsApi = bind('calendarEvents', calendarEvents)
