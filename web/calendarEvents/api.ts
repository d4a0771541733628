import { calendarEvents } from '@innkeeper/contract/calendarEvents'
import { bind } from '../kit/api/client.ts'

export const eventsApi = bind('calendarEvents', calendarEvents)
