import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { readSettings } from './settings.ts'

/** Code of a sent message without a delivery report, which may be lost. */
export const NO_REPORT = 'no-report'
/** Time after which a report counts as missing. Kannel reports each accepted message, so that the time is shorter. */
const SILENT = { kannel: '15 minutes', http: '24 hours', none: '24 hours' }

/**
 * Marks messages without a report, so that people find messages that a gateway lost after it had accepted them. A later
 * report removes the mark.
 */
export async function nameMissing({ db }: App): Promise<void> {
  const { gateway } = await readSettings(db)
  const named = await rows(
    db,
    sql`update sms_messages set error_code = ${NO_REPORT}, version = version + 1,
        reason = 'The gateway has reported nothing: the message may be lost'
      where status = 'sent' and error_code is null and created_at > now() - interval '30 days'
        and sent_at < now() - case when provider_id is null then ${SILENT[gateway]} else '24 hours' end::interval
      returning sms_message_id`,
  )
  if (named.length) await changed(db, 'sms')
}

/** Content of a delivery report. */
export interface Report {
  status: 'sent' | 'delivered' | 'undelivered'
  reason: string | null
  code: string | null
}

/** Texts for the final states of SMPP receipts (SMPP 3.4, appendix B). */
const states: Record<string, string> = {
  EXPIRED: 'The phone was off or out of reach until the message expired',
  DELETED: 'The operator deleted the message',
  UNDELIV: 'The operator could not deliver the message',
  UNKNOWN: 'The operator does not know the state of the message',
  REJECTD: 'The operator rejected the message',
}
/** Texts for SMPP command states with which operators reject messages. */
const rejections: Record<string, string> = {
  '11': 'the number does not exist',
  '10': 'the sender is not allowed',
  '20': 'the operator’s queue is full',
  '69': 'the operator could not accept it',
  '88': 'too many messages at once',
}

/**
 * Parses a report: Kannel's step as a number with the operator's answer, or the word of another gateway. An unknown
 * word counts as `sent`.
 */
export function readReport(status: string, answer: string): Report {
  const state = /\bstat:([A-Z]{4,7})/.exec(answer)?.[1] ?? ''
  const code = /\berr:(\w{1,10})/.exec(answer)?.[1] ?? codeOfNack(answer)
  const words = states[state] ?? (code && rejections[code] ? `Rejected: ${rejections[code]}` : undefined)
  const told = answer.replace(/^(?:N?ACK)\/(?:\w+\/)?/, '').trim()
  if (status === '1' || status === 'delivered') return { status: 'delivered', reason: null, code: null }
  if (status === '2' || status === 'undelivered' || status === 'expired')
    return {
      status: 'undelivered',
      reason: withCode(words ?? (told || 'Not delivered'), code),
      code: code ?? (state || null),
    }
  if (status === '16' || status === 'rejected' || status === 'failed')
    return {
      status: 'undelivered',
      reason: withCode(words ?? `Rejected by the operator${told && `: ${told}`}`, code),
      code: code ?? '16',
    }
  return { status: 'sent', reason: null, code: null }
}

/** Kannel writes the command status in hexadecimal: `NACK/0x0000000b/Invalid Destination Address`. */
function codeOfNack(answer: string): string | null {
  const written = /^NACK\/(0x[0-9a-f]{1,8}|\d{1,10})\b/i.exec(answer)?.[1]
  return written === undefined ? null : String(Number(written))
}

const withCode = (text: string, code: string | null) =>
  (code && code !== '000' ? `${text} (code ${code})` : text).slice(0, 300)
