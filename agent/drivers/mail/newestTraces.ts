import { grep, idOf, type Line, type ReadLine, readLine } from './mailLogs.ts'

export interface Found {
  /** Newest first. */
  ids: string[]
  refused: ReadLine[]
  /** Whether older messages were left out. */
  more: boolean
}

/**
 * Ids of the newest messages in one file, and messages that were refused before they had an id. With `newest`, reads
 * only the last `newest` matching lines; undefined if they do not suffice.
 */
export async function newestOf(
  file: string,
  wanted: string,
  most: { ids: number; refused: number },
  isWithin: (line: Line) => boolean,
  newest: number,
): Promise<Found | undefined>
export async function newestOf(
  file: string,
  wanted: string,
  most: { ids: number; refused: number },
  isWithin: (line: Line) => boolean,
): Promise<Found>
export async function newestOf(
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
