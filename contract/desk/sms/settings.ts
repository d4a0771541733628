import * as z from 'zod'
import { levels, Reason } from '../../access/notifications.ts'
import { instant } from '../../kit/endpoint.ts'

export const gateways = ['none', 'kannel', 'http'] as const

export const SmsSettings = z.object({
  version: z.int(),
  gateway: z.enum(gateways),
  url: z.string(),
  username: z.string(),
  hasSecret: z.boolean(),
  /** Number or name that recipients see. */
  sender: z.string(),
  /** Address of Innkeeper as the gateway reaches it, for delivery reports and answers. */
  publicUrl: z.string(),
  countryCode: z.string().nullable(),
  quietFrom: z.string().nullable(),
  quietTo: z.string().nullable(),
  timeZone: z.string(),
  /** Maximum number of messages to one number in 24 hours; alerts are not counted. */
  perDay: z.int(),
  /** Price of a segment; null: no cost is shown. */
  price: z.number().nullable(),
  currency: z.string(),
  maxAttempts: z.int(),
  /** Reasons of notifications that alert the people on shift. */
  alertReasons: z.array(Reason),
  /** Lowest level that alerts. */
  alertLevel: z.enum(levels),
  /** Departments whose shifts are alerted; empty: all. */
  alertDepartments: z.array(z.int()),
  /** People who are alerted if nobody is on shift or nobody answers. */
  fallback: z.array(z.object({ id: z.int(), name: z.string() })),
  /** Minutes without an answer after which the fallback is alerted; 0: never. */
  escalateMinutes: z.int(),
  /** Since when the gateway refuses our account or address, so that all messages wait. */
  trouble: z.object({ reason: z.string(), since: instant }).nullable(),
})
export type SmsSettings = z.output<typeof SmsSettings>
