import type { OperationInput } from '@innkeeper/contract/agent'
import type { Driver } from '../../kit/driver.ts'
import { grep, idOf, type Line, logsSince, type ReadLine, readLine } from './mailLogs.ts'
import { mailLog } from './postfix.ts'

/** A message for thousands of addresses has thousands of lines: its first, its last, and those that were asked for. */
const FIRST_LINES = 30
const LAST_LINES = 20
const WANTED_LINES = 20
/** The newest matching lines, which are read first: few searches need more. */
const NEWEST_LINES = 20_000

export const readMailTrace: Driver<'mail-trace.read'> = {
  run: ({ input }) => traceIn(mailLog, input),
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/**
 * The log lines of the newest messages that match, grouped by message. Two passes of grep, because only some lines of a
 * message contain the address: files are searched newest first until enough messages are known, then these files once
 * more for their ids. Memory is bounded by `most`, not by the log.
 */
export async function traceIn(log: string, { about, messageId, from, until, most }: OperationInput<'mail-trace.read'>) {
  const wanted = (messageId ?? (about?.includes('@') ? `<${about}>` : `@${about}>`)).toLowerCase()
  const files = await logsSince(log, from)
  const isWithin = ({ at }: Line) => Date.parse(at) >= from * 1000 && Date.parse(at) <= until * 1000
  const found: Found = { ids: [], refused: [], more: false }
  let searched = 0
  for (const file of files) {
    searched += 1
    const rest = { ids: most - found.ids.length, refused: most - found.refused.length }
    const here =
      (await newestOf(file, wanted, rest, isWithin, NEWEST_LINES)) ?? (await newestOf(file, wanted, rest, isWithin))
    found.ids.push(...here.ids.filter((id) => !found.ids.includes(id)))
    found.refused.push(...here.refused)
    found.more ||= here.more
    if (found.ids.length < most) continue
    found.more ||= searched < files.length
    break
  }
  // a message that was found in one file may have begun in the file before
  const ofIds = files.slice(0, searched + 1).toReversed()
  return {
    messages: await linesOf(found.ids, ofIds, wanted),
    refused: found.refused.map(({ at, by, text }) => ({ at, by, text })),
    more: found.more,
  }
}

interface Found {
  /** Newest first. */
  ids: string[]
  refused: ReadLine[]
  /** Older ones were left out. */
  more: boolean
}

/**
 * Ids of the newest messages in one file, and messages that were refused before they had an id. `newest`: by so many
 * matching lines; undefined if they do not suffice.
 */
async function newestOf(
  file: string,
  wanted: string,
  most: { ids: number; refused: number },
  isWithin: (line: Line) => boolean,
  newest: number,
): Promise<Found | undefined>
async function newestOf(
  file: string,
  wanted: string,
  most: { ids: number; refused: number },
  isWithin: (line: Line) => boolean,
): Promise<Found>
async function newestOf(
  file: string,
  wanted: string,
  most: { ids: number; refused: number },
  isWithin: (line: Line) => boolean,
  newest?: number,
): Promise<Found | undefined> {
  const ids = new Set<string>()
  const refused: ReadLine[] = []
  let more = false
  let isFull = false
  const shorten = () => {
    more = true
  }
  const lines = await grep(
    [wanted],
    file,
    (line) => {
      const id = idOf(line)
      const isNew = id !== undefined && !ids.has(id)
      if (!isNew && !line.includes(': NOQUEUE: ')) return
      const read = readLine(line)
      if (!read || !isWithin(read)) return
      // the newest stay, because lines come oldest first
      if (isNew) ids.add(id)
      else refused.push(read)
      const [oldest] = ids
      if (ids.size > most.ids && oldest !== undefined) {
        isFull = ids.delete(oldest)
        shorten()
      }
      if (refused.length > most.refused && refused.shift()) shorten()
    },
    { anyCase: true, ...(newest !== undefined && { newest }) },
  )
  if (newest !== undefined && lines >= newest && !isFull) return undefined
  return { ids: [...ids].toReversed(), refused: refused.toReversed(), more }
}

async function linesOf(ids: readonly string[], files: readonly string[], wanted: string) {
  const messages = new Map(ids.map((id) => [id, { first: [] as Kept[], last: [] as Kept[], leftOut: 0, wanted: 0 }]))
  const words = ids.map((id) => ` ${id}: `)
  if (ids.length)
    for (const file of files)
      await grep(words, file, (line) => {
        const message = messages.get(idOf(line) ?? '')
        const read = message && readLine(line)
        if (!read) return
        const isWanted = line.toLowerCase().includes(wanted)
        if (message.first.length < FIRST_LINES) message.first.push({ ...read, isWanted })
        else message.last.push({ ...read, isWanted })
        if (message.last.length <= LAST_LINES + message.wanted) return
        const [out] = message.last.splice(message.wanted, 1) // lines that were asked for move to the front and stay
        if (out?.isWanted && message.wanted < WANTED_LINES) message.last.splice(message.wanted++, 0, out)
        else message.leftOut += 1
      })
  return [...messages].map(([id, { first, last, leftOut }]) => ({
    id,
    lines: [...first, ...last].map(({ at, by, text }) => ({ at, by, text })),
    leftOut,
  }))
}
type Kept = ReadLine & { isWanted: boolean }
