import { sms as smsContract } from '@innkeeper/contract/desk/sms/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { quotesIn } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { raiseAlerts } from './alerts/raise.ts'
import { smsHandlers } from './handlers.ts'
import { smsMetrics } from './metrics.ts'
import { nameMissing } from './reports.ts'
import { seedSms } from './seed.ts'
import { deliver } from './sending/deliver.ts'
import { expandDue } from './sending/due.ts'
import * as tables from './tables.ts'
import { smsTroubles } from './troubles.ts'

/**
 * Text messages. People on shift are found when a message is sent, so swaps and approved leaves count at once.
 * deliver.ts checks number, consent and account once more after the claim, callbacks.ts accepts reports that are
 * repeated, late or early, and decision 54 says what happens when a process is killed.
 */
export const sms: Domain = {
  calls: [calls('sms', smsContract, smsHandlers)],
  tables,
  metrics: smsMetrics,
  troubles: smsTroubles,
  quotes: [quotesIn('Text messages', 'A record of what was sent', 'sms_messages', sql`number || ' ' || body`)],
  readScopes: { sms: ['sms:message:read', 'sms:template:read', 'sms:settings:update'] },
  schedules: [
    { name: 'SMS: messages', everyMs: 1000, work: deliver },
    { name: 'SMS: scheduled sends', everyMs: 5000, work: expandDue },
    { name: 'SMS: missing reports', everyMs: 60_000, work: nameMissing },
    { name: 'SMS: alerts', everyMs: 5000, work: raiseAlerts },
  ],
  seed: { at: 40, run: (db, say) => seedSms(db, say) },
  secrets: [
    {
      prefix: 'sms gateway',
      enter: { scope: 'sms:settings:update', at: '/sms/settings' },
      what: 'Password of the SMS gateway',
      again: 'SMS → Settings: enter it again.',
      marked: sql`update sms_settings set has_secret = false, version = version + 1`,
    },
    {
      prefix: 'sms callbacks',
      enter: { scope: 'sms:settings:update', at: '/sms/settings' },
      what: 'Key in the addresses that the SMS gateway calls',
      again: 'SMS → Settings: make a new key and enter its address at the gateway.',
    },
  ],
}
