import type { calendarEvents as contract } from '@innkeeper/contract/calendarEvents'
import type { Handlers } from '../kit/http/api.ts'
import { attendanceHandlers } from './attendances.ts'
import { attendantHandlers } from './attendants.ts'
import { birthdayHandlers } from './birthdays.ts'
import { eventHandlers } from './events.ts'
import { nationalHandlers } from './nationals.ts'
import { repeatableHandlers } from './repeatables.ts'
import { viewHandlers } from './views.ts'
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
