import { conversationCalls } from './conversations.ts'
import { cronCalls } from './settings.ts'

const v2 = '/ticket-controller-v2'

/** Calls of v2 for tickets. */
export const qcTickets = {
  ...conversationCalls(v2, { kind: 'ticket', noun: 'tickets', messages: 'replies' }),
  ...cronCalls(`${v2}/cron-config`),
}
