import { sms as smsContract } from '@innkeeper/contract/sms'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { raiseAlerts } from './alerts/raise.ts'
import { smsHandlers } from './handlers.ts'
import { nameMissing } from './reports.ts'
import { seedSms } from './seed.ts'
import { deliver } from './sending/deliver.ts'
import { expandDue } from './sending/due.ts'
import * as tables from './tables.ts'

/**
 * Effects of other changes: a shift that was swapped a minute ago counts, because people on shift are found when a
 * message is sent; a number, a consent or an account that changed meanwhile (deliver.ts checks again); an approved
 * leave in a published plan; quiet hours of another time zone; a report that is repeated, late or early (callbacks.ts);
 * a process that is killed between claim, gateway and record (decision 54).
 */
export const sms: Domain = {
  calls: [calls('sms', smsContract, smsHandlers)],
  tables,
  readScopes: { sms: ['sms:message:read', 'sms:template:read', 'sms:settings:update'] },
  schedules: [
    { name: 'SMS: messages', everyMs: 1000, work: deliver },
    { name: 'SMS: scheduled sends', everyMs: 5000, work: expandDue },
    { name: 'SMS: missing reports', everyMs: 60_000, work: nameMissing },
    { name: 'SMS: alerts', everyMs: 5000, work: raiseAlerts },
  ],
  seed: { at: 40, run: (db, say) => seedSms(db, say) },
}
