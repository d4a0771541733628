import type { CheckSettings } from '@innkeeper/contract/quality/qc/checks'
import { type Heard, type Judgement, judged, messagesOf, none, type Said, type Spans } from './speech.ts'

import { isThanks } from './thanks.ts'

const MINUTE = 60_000
/** How soon a conversation that waits for the roster is judged again. */
const ROSTER_AGAIN = 60 * MINUTE

type Timed = Pick<CheckSettings, 'minutes' | 'hours'>

/** Milliseconds of a wait that count: all, or those with somebody on the roster. */
function counted(from: number, to: number, spans: Spans | undefined): number {
  if (!spans) return Math.max(0, to - from)
  let sum = 0
  for (const [begin, end] of spans) {
    if (begin >= to) break
    sum += Math.max(0, Math.min(end, to) - Math.max(begin, from))
  }
  return sum
}

/** A wait of the customer: from their first message without an answer to the answer; `to` is null while nobody answered. */
interface Wait {
  asked: Said
  to: number | null
}

/** Waits of the customer in order. Answers of bots count as no answer, and thanks need none. */
export function waitsOf(heard: Heard): Wait[] {
  const waits: Wait[] = []
  let asked: Said | undefined
  for (const one of messagesOf(heard, 'everybody')) {
    if (one.role === 'customer' && !isThanks(one.body)) asked ??= one
    if (one.role !== 'agent' || !asked) continue
    waits.push({ asked, to: one.at })
    asked = undefined
  }
  if (asked) waits.push({ asked, to: null })
  return waits
}

/** The roster's hours; null if the rule counts them and the department has none: then the rule says nothing. */
const spansOf = ({ hours }: Timed, { staffed }: Heard) => (hours === 'clock' ? undefined : staffed)

/** The customer's wait for the first answer of a person. */
export function firstAnswer(rule: Timed, heard: Heard): Judgement {
  const [first] = waitsOf(heard)
  return first ? judgeWaits(rule, heard, [first]) : none
}

/** The customer's longest wait for an answer. */
export const silence = (rule: Timed, heard: Heard): Judgement => judgeWaits(rule, heard, waitsOf(heard))

/** The customer wrote last, and nobody answered in time: a dead end. */
export function unanswered(rule: Timed, heard: Heard): Judgement {
  const waits = waitsOf(heard)
  if (!waits.length) return none
  const open = waits.filter(({ to }) => to === null)
  return open.length ? judgeWaits(rule, heard, open) : judged(true)
}

/** An open wait that is still within the limit says nothing yet, and is judged again when it may exceed the limit. */
function judgeWaits(rule: Timed, heard: Heard, waits: readonly Wait[]): Judgement {
  const spans = spansOf(rule, heard)
  if (!waits.length || spans === null) return none
  const most = rule.minutes * MINUTE
  const lengths = waits.map(({ asked, to }) => counted(asked.at, to ?? heard.now, spans))
  const longest = lengths.reduce((found, length, n) => (length > (lengths[found] ?? 0) ? n : found), 0)
  const length = lengths[longest] ?? 0
  const { asked } = waits[longest]! // there is a wait
  const value = Math.round(length / MINUTE)
  const places = [{ messageId: asked.id, from: 0, to: asked.body.length }]
  if (length > most) return judged(false, { value, places })
  const open = waits.find(({ to }) => to === null)
  if (!open) return judged(true, { value })
  const left = most - counted(open.asked.at, heard.now, spans)
  return { ...none, again: heard.now + (spans ? Math.max(left, ROSTER_AGAIN) : left) + MINUTE }
}
