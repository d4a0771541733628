import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { grep, idOf, type Line, logsSince, type ReadLine, readLine } from './mailLogs.ts'
import { type Found, newestOf } from './newestTraces.ts'
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
  const isWithin = ({ at, text }: Line) =>
    Date.parse(at) >= from * 1000 && Date.parse(at) <= until * 1000 && (messageId !== undefined || names(text, wanted))
  /** The files that contain the address with the id of a message, by their places in `files`. Newest messages first. */
  const ids = new Map<string, { newest: number; oldest: number }>()
  const refused: ReadLine[] = []
  let more = false
  const room = { ids: most, refused: most }
  const search = async (file: string): Promise<Found> =>
    (await newestOf(file, wanted, room, isWithin, NEWEST_LINES)) ?? (await newestOf(file, wanted, room, isWithin))
  const searches = new Map<number, Promise<Found>>()
  const searchOf = (place: number): Promise<Found> | undefined => {
    const file = files[place]
    if (file === undefined) return undefined
    const known = searches.get(place) ?? search(file)
    searches.set(place, known)
    return known
  }
  for (let place = 0; place < files.length; place++) {
    const now = searchOf(place)
    // two files at a time, because the first one did not suffice; a search that nobody waits for may fail
    if (place > 0) searchOf(place + 1)?.catch(() => {})
    const here = await now
    if (!here) break
    for (const id of here.ids) {
      const known = ids.get(id)
      if (known) known.oldest = place
      else if (ids.size < most) ids.set(id, { newest: place, oldest: place })
      else more = true
    }
    const left = here.refused.slice(0, most - refused.length)
    refused.push(...left)
    more ||= here.more || left.length < here.refused.length
    if (ids.size < most) continue
    more ||= place + 1 < files.length
    break
  }
  return {
    messages: await linesOf(ids, files, wanted),
    refused: refused.map(({ at, by, text }) => ({ at, by, text })),
    more,
  }
}

/**
 * Whether Postfix names the address in a line: the id of a message and the greeting are words of whoever sends it, and with
 * them a hundred messages for others would take the room of those that were asked for.
 */
const names = (text: string, wanted: string) =>
  !/^(?:resent-)?message-id=/.test(text) && (text.split(' helo=<', 1)[0] ?? '').toLowerCase().includes(wanted)

/**
 * Lines of the messages, oldest first. A message may have begun in the file before the one in which it was found, and ends
 * when Postfix removes it from its queue, which may be days later: other files are not read.
 */
async function linesOf(ids: ReadonlyMap<string, { newest: number; oldest: number }>, files: string[], wanted: string) {
  const messages = new Map(
    [...ids].map(([id, places]) => [
      id,
      { ...places, first: [] as Kept[], last: [] as Kept[], leftOut: 0, wanted: 0, isRemoved: false },
    ]),
  )
  for (let place = files.length - 1; place >= 0; place--) {
    const file = files[place]!
    const open = [...messages].filter(
      ([, { oldest, newest, isRemoved }]) => place <= oldest + 1 && (place >= newest || !isRemoved),
    )
    const words = open.map(([id]) => ` ${id}: `)
    if (words.length)
      await grep(words, file, (line) => {
        const message = messages.get(idOf(line) ?? '')
        const read = message && readLine(line)
        if (!read) return
        // Postfix gives a short id to another message later
        if (place <= message.oldest) message.isRemoved = read.text === 'removed'
        const isWanted = line.toLowerCase().includes(wanted)
        if (message.first.length < FIRST_LINES) message.first.push({ ...read, isWanted })
        else message.last.push({ ...read, isWanted })
        if (message.last.length <= LAST_LINES + message.wanted) return
        const [out] = message.last.splice(message.wanted, 1) // lines that were asked for move to the front and stay
        if (out?.isWanted && message.wanted < WANTED_LINES) message.last.splice(message.wanted++, 0, out)
        else message.leftOut += 1
      })
  }
  return [...messages].map(([id, { first, last, leftOut }]) => ({
    id,
    lines: [...first, ...last].map(({ at, by, text }) => ({ at, by, text })),
    leftOut,
  }))
}
type Kept = ReadLine & { isWanted: boolean }
