import type { sms as contract } from '@innkeeper/contract/desk/sms/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { callbackHandlers } from './callbacks.ts'
import { messageHandlers } from './messages/handlers.ts'
import { optOutHandlers } from './optOuts.ts'
import { sendingHandlers } from './sending/handlers.ts'
import { findRecipients } from './sending/recipients.ts'
import { settingsHandlers } from './settings.ts'
import { templateHandlers } from './templates/handlers.ts'

export const smsHandlers: Handlers<typeof contract> = {
  ...templateHandlers,
  ...sendingHandlers,
  ...messageHandlers,
  ...settingsHandlers,
  ...optOutHandlers,
  ...callbackHandlers,

  recipients: ({ search }, { db, now }) => findRecipients(db, search, now),
}
