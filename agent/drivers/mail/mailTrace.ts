import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Driver } from '../../kit/driver.ts'
import { absent, run } from '../../kit/host.ts'
import { mailLog } from './postfix.ts'

interface Line {
  at: string
  /** `postfix/smtpd` */
  by: string
  text: string
}
const MOST_LINES = 60
const format = /^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) \S+ ([\w/.-]+)\[\d+\]: (?:([0-9A-Za-z]{6,20}): )?(.*)$/

/**
 * The log lines of the newest messages that match, grouped by message. Two passes of grep, because only some lines of a
 * message contain the address.
 */
export const readMailTrace: Driver<'mail-trace.read'> = {
  async run({ input: { about, messageId, from, until, most } }) {
    const files = await logs()
    const wanted = messageId ?? about
    if (!files.length || wanted === undefined) return { messages: [], refused: [] }
    const hits = await grep(['-i', '-F', '-e', wanted], files)
    const ids = new Set<string>()
    const refused: Line[] = []
    for (const line of hits.toReversed()) {
      const read = readLine(line)
      if (!read || !isWithin(read.at, from, until)) continue
      if (read.id && ids.size < most) ids.add(read.id)
      // a refused message never gets an id
      if (!read.id && read.text.startsWith('NOQUEUE:') && refused.length < most) refused.push(read)
    }
    const messages = new Map<string, Line[]>([...ids].map((id) => [id, []]))
    if (ids.size)
      for (const line of await grep(['-F', ...[...ids].flatMap((id) => ['-e', `${id}: `])], files)) {
        const read = readLine(line)
        const lines = read?.id ? messages.get(read.id) : undefined
        if (read && lines && lines.length < MOST_LINES) lines.push({ at: read.at, by: read.by, text: read.text })
      }
    return {
      messages: [...messages].map(([id, lines]) => ({ id, lines })),
      refused: refused.map(({ at, by, text }) => ({ at, by, text })),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** The logs, oldest first. */
async function logs(): Promise<string[]> {
  const name = basename(mailLog)
  const all = (await readdir(dirname(mailLog)).catch(absent)) ?? []
  return all
    .filter((one) => one === name || /^\.\d+$/.test(one.startsWith(name) ? one.slice(name.length) : ''))
    .sort((a, b) => numberOf(b) - numberOf(a))
    .map((one) => `${dirname(mailLog)}/${one}`)
}
const numberOf = (name: string) => Number(/\.(\d+)$/.exec(name)?.[1] ?? 0)

async function grep(words: readonly string[], files: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['grep', '-h', '-a', ...words, '--', ...files], { timeoutMs: 20_000 })
  if (code > 1) throw new Error(`the log cannot be searched: ${stderr.slice(0, 200)}`)
  return stdout.split('\n').filter(Boolean)
}

function readLine(line: string): (Line & { id?: string | undefined }) | undefined {
  const [, stamp = '', by = '', id, text = ''] = format.exec(line) ?? []
  if (!stamp) return undefined
  return {
    at: timeOf(stamp).toISOString(),
    by,
    id: id === 'NOQUEUE' ? undefined : id,
    text: id === 'NOQUEUE' ? `NOQUEUE: ${text}` : text,
  }
}

/** The log has no year: a time in the future is of last year. */
function timeOf(stamp: string, now = new Date()): Date {
  const time = new Date(`${stamp} ${now.getFullYear()}`)
  if (time.getTime() > now.getTime() + 86_400_000) time.setFullYear(now.getFullYear() - 1)
  return time
}

const isWithin = (at: string, from: number, until: number) => {
  const seconds = Date.parse(at) / 1000
  return seconds >= from && seconds <= until
}
