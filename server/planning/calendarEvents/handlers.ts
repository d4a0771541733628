import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { attendanceHandlers } from './attendants/attendances.ts'
import { attendantHandlers } from './attendants/attendants.ts'
import { birthdayHandlers } from './entries/birthdays.ts'
import { viewHandlers } from './entries/views.ts'
import { eventHandlers } from './events/events.ts'
import { nationalHandlers } from './nationals/nationals.ts'
import { repeatableHandlers } from './repeatables/repeatables.ts'
import { workplaceHandlers } from './workplaces.ts'

export const calendarEventsHandlers: Handlers<typeof contract> = {
  ...nationalHandlers,
  ...workplaceHandlers,
  ...repeatableHandlers,
  ...viewHandlers,
  ...eventHandlers,
  ...attendanceHandlers,
  ...attendantHandlers,
  ...birthdayHandlers,
}
