import type { CheckOutcome, CheckSettings } from '@innkeeper/contract/quality/qc/checks'

/** A message as checks read it. */
export interface Said {
  id: number
  at: number
  kind: 'message' | 'note' | 'event'
  role: 'agent' | 'customer' | 'bot' | 'system'
  body: string
}

/** Times in which somebody of a department is on the roster, in order and without overlaps. */
export type Spans = readonly (readonly [number, number])[]

export interface Heard {
  kind: 'chat' | 'ticket'
  sourceId: number
  departmentId: number | null
  /** Messages, notes and events in order, without those that the source removed. */
  said: readonly Said[]
  /** Hours of the roster around the conversation; null if its department has none. */
  staffed: Spans | null
  now: number
}

/** A result; `again`: when a time runs out that may change it. */
export type Judgement = CheckOutcome & { again?: number }
export type Place = CheckOutcome['places'][number]

/** Limits of what is read: of a message, and of a conversation. Later text is not judged. */
const MOST_CHARS = 20_000
const MOST_IN_ALL = 1_000_000
/** Maximum number of places that a result keeps. */
const MOST_PLACES = 10

export const none: Judgement = { result: 'none', value: null, note: null, places: [] }
export const judged = (isFine: boolean, more: Partial<Judgement> = {}): Judgement => ({
  ...none,
  result: isFine ? 'passed' : 'failed',
  ...more,
})

/** A judgement by what was found and should not be. */
export const without = (places: readonly Place[]): Judgement =>
  judged(places.length === 0, { places: places.slice(0, MOST_PLACES) })

const parts: Record<CheckSettings['who'], readonly Said['role'][]> = {
  agent: ['agent'],
  customer: ['customer'],
  everybody: ['agent', 'customer', 'bot'],
}

const readBefore = new WeakMap<Heard, Map<string, readonly Said[]>>()

/** Messages of those whom a rule reads, within the limits; the same for every rule. Notes and events are not said to anybody. */
export function messagesOf(heard: Heard, who: CheckSettings['who']): readonly Said[] {
  const known = readBefore.get(heard) ?? new Map<string, readonly Said[]>()
  readBefore.set(heard, known)
  const said = known.get(who) ?? read(heard, who)
  known.set(who, said)
  return said
}

function read({ said }: Heard, who: CheckSettings['who']): Said[] {
  const all: Said[] = []
  let chars = 0
  for (const one of said) {
    if (one.kind !== 'message' || !parts[who].includes(one.role)) continue
    if (chars >= MOST_IN_ALL) break
    const body = one.body.length > MOST_CHARS ? one.body.slice(0, MOST_CHARS) : one.body
    chars += body.length
    all.push(body === one.body ? one : { ...one, body })
  }
  return all
}
