import { conversationCalls } from './conversations.ts'
import { cronCalls } from './settings.ts'

const v2 = '/ticket-controller-v2'

/** Tickets of the second face. */
export const qcTickets = {
  ...conversationCalls(v2, { kind: 'ticket', noun: 'tickets', messages: 'replies' }),
  ...cronCalls(`${v2}/cron-config`),
}
