import { addDays, type Day, dayText } from '../calendar/days.ts'
import { swedish } from '../look/format.ts'

export interface Author {
  name: string
  image?: string | null
  /** Staff answer, everybody else asks. */
  isStaff: boolean
}
export interface Message {
  id: string
  at: string
  author: Author
  text: string
  /** `note`: staff alone read it. `event`: a line of the system, such as "Chat started". */
  kind?: 'message' | 'note' | 'event'
  images?: readonly { src: string; alt: string }[]
  files?: readonly { name: string; size: number; href: string }[]
  /** When its text was changed last. */
  editedAt?: string
  /** The source has removed the text. */
  removed?: boolean
}

/** A message with what stands around it. */
export interface MessageRow {
  id: string
  message: Message
  /** The first message of a day carries the line with that day. */
  day?: Day
  /** Milliseconds since the message before, when people had to wait. */
  gap?: number
  /** Goes on where the same author stopped: no name again. */
  joined: boolean
}

const MINUTE = 60_000
/** Silence of at least this length is shown. */
const GAP = 3 * MINUTE
/** Messages of one author within this time stand together. */
const JOINED = MINUTE

/** Messages in their order, with day lines, silences, and runs of one author. Days are those of the reader's zone. */
export function rowsOf(messages: readonly Message[], dayOf = (at: string): Day => swedish(at).slice(0, 10)) {
  return messages.map((message, n): MessageRow => {
    const { id, at, kind = 'message' } = message
    const before = messages[n - 1]
    const day = dayOf(at)
    const isNewDay = !before || dayOf(before.at) !== day
    const since = before ? Date.parse(at) - Date.parse(before.at) : 0
    const joined =
      !isNewDay &&
      kind !== 'event' &&
      (before.kind ?? 'message') === kind &&
      before.author.name === message.author.name &&
      since < JOINED
    return {
      id,
      message,
      joined,
      ...(isNewDay && { day }),
      ...(since >= GAP && kind !== 'event' && { gap: since }),
    }
  })
}

/** "Today", "Yesterday", "Monday 2 November", in another year with the year. */
export function dayLine(day: Day, today: Day): string {
  if (day === today) return 'Today'
  if (day === addDays(today, -1)) return 'Yesterday'
  const year = day.slice(0, 4)
  return `${dayText(day, 'long')}${year === today.slice(0, 4) ? '' : ` ${year}`}`
}

const LINE = 21
const CHARACTERS = 82
/** Longer texts are cut until somebody asks for all. */
export const CUT = 4000

/** About how many pixels a row takes, until it was drawn and measured. */
export function estimateOf({ message, day, joined }: MessageRow): number {
  const lines = message.text
    .slice(0, CUT)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS)), 0)
  const around = (day ? 40 : 0) + (joined ? 4 : 36) + (message.images?.length ? 150 : 0)
  return around + lines * LINE + (message.files?.length ?? 0) * 24
}

/** Which messages contain the words, without regard to case. */
export function foundIn(messages: readonly Message[], words: string): number[] {
  const wanted = words.trim().toLocaleLowerCase()
  if (!wanted) return []
  return messages.flatMap(({ text }, n) => (text.toLocaleLowerCase().includes(wanted) ? [n] : []))
}

/** A text in pieces, so that what was looked for can be marked. */
export function markedParts(text: string, words: string): { at: number; text: string; isFound: boolean }[] {
  const wanted = words.trim().toLocaleLowerCase()
  const lower = text.toLocaleLowerCase()
  // a letter that is longer in lower case would shift all that follows
  if (!wanted || lower.length !== text.length) return [{ at: 0, text, isFound: false }]
  const parts: { at: number; text: string; isFound: boolean }[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ at: from, text: text.slice(from, at), isFound: false })
    from = at + wanted.length
    parts.push({ at, text: text.slice(at, from), isFound: true })
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from), isFound: false })
  return parts
}
