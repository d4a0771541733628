import { addDays, type Day, dayText } from '../calendar/days.ts'
import { swedish } from '../look/format.ts'

interface Author {
  name: string
  image?: string | null
  /** Staff answer, all others ask. */
  isStaff: boolean
}
export interface Message {
  id: string
  at: string
  author: Author
  text: string
  /** `note`: only staff read it. `event`: a line of the system, such as "Chat started". */
  kind?: 'message' | 'note' | 'event'
  images?: readonly { src: string; alt: string }[]
  files?: readonly { name: string; size: number; href: string }[]
  /** Time of the last edit. */
  editedAt?: string
  /** The source has removed the text. */
  removed?: boolean
}

/** A message with its position in the conversation. */
export interface MessageRow {
  id: string
  message: Message
  /** Set on the first message of a day, which shows a day line. */
  day?: Day
  /** Milliseconds since the previous message, if somebody had to wait. */
  gap?: number
  /** Continues a run of the same author, so the name is not repeated. */
  joined: boolean
}

const MINUTE = 60_000
/** Shorter silences are not shown. */
const GAP = 3 * MINUTE
/** Messages of one author within this time form a run. */
const JOINED = MINUTE

/** Rows for messages in order, with day lines, silences and runs. Days are in the reader's time zone. */
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
/** Longer texts are shortened until expanded. */
export const CUT = 4000

/** An estimate of the row's height in pixels, until it is measured. */
export function estimateOf({ message, day, joined }: MessageRow): number {
  const lines = message.text
    .slice(0, CUT)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS)), 0)
  const around = (day ? 40 : 0) + (joined ? 4 : 36) + (message.images?.length ? 150 : 0)
  return around + lines * LINE + (message.files?.length ?? 0) * 24
}

/** Indexes of the messages that contain the words, ignoring case. */
export function foundIn(messages: readonly Message[], words: string): number[] {
  const wanted = words.trim().toLocaleLowerCase()
  if (!wanted) return []
  return messages.flatMap(({ text }, n) => (text.toLocaleLowerCase().includes(wanted) ? [n] : []))
}

/** Splits a text at its matches, which are highlighted. */
export function markedParts(text: string, words: string): { at: number; text: string; isFound: boolean }[] {
  const wanted = words.trim().toLocaleLowerCase()
  const lower = text.toLocaleLowerCase()
  // a letter that is longer in lower case would shift the matches
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
