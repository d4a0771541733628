import { cronCalls } from './settings.ts'

const v2 = '/ticket-controller-v2'

/** Tickets of the second face. */
export const qcTickets = {
  ...cronCalls(`${v2}/cron-config`),
}
