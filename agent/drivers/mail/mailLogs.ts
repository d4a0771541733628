import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Writable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { absent, flow } from '../../kit/host.ts'

const piece = { highWaterMark: 512 * 1024 }

export interface Line {
  at: string
  /** `postfix/smtpd` */
  by: string
  text: string
}
export interface ReadLine extends Line {
  /** Absent if the line belongs to no queued message, for instance because the message was refused at once. */
  id?: string | undefined
}

/** The log and those rotated logs that may contain lines since `from` (seconds since the epoch), newest first. */
export async function logsSince(log: string, from: number): Promise<string[]> {
  const [folder, name] = [dirname(log), basename(log)]
  const found: { file: string; age: number }[] = []
  for (const one of (await readdir(folder).catch(absent)) ?? []) {
    const rotation = one.startsWith(name) ? /^(?:\.(\d+)(?:\.gz)?)?$/.exec(one.slice(name.length)) : null
    if (!rotation) continue
    const seen = await stat(`${folder}/${one}`).catch(absent)
    if (seen && seen.mtimeMs / 1000 >= from) found.push({ file: `${folder}/${one}`, age: Number(rotation[1] ?? 0) })
  }
  return found.toSorted((a, b) => a.age - b.age).map(({ file }) => file)
}

/**
 * Calls `each` for each line of the file that contains one of the words, oldest first; with `newest` only for the last
 * `newest` lines. Memory holds one piece of the output at a time, whatever the size of the log. Answers the number of
 * lines.
 */
export async function grep(
  words: readonly string[],
  file: string,
  each: (line: string) => void,
  { anyCase = false, newest }: { anyCase?: boolean; newest?: number } = {},
): Promise<number> {
  // Node.js decompresses three times as fast as the gzip of Debian, which takes most of the time of a search
  const isPacked = file.endsWith('.gz')
  const options = ['-h', '-a', '-F', ...(anyCase ? ['-i'] : []), ...words.flatMap((word) => ['-e', word])]
  const search = ['grep', ...options, '--', isPacked ? '-' : file] as const
  const last = ['sh', '-c', `n=$1; shift; "$@" | tail -n "$n"`, 'sh', `${newest}`, ...search] as const
  let lines = 0
  await eachLine(
    newest === undefined ? search : last,
    (line) => {
      lines++
      each(line)
    },
    {
      accept: [1], // no line
      ...(isPacked && { from: [createReadStream(file, piece), createGunzip({ chunkSize: piece.highWaterMark })] }),
    },
  )
  return lines
}

/** Calls `each` for each line that a program writes. Memory holds one piece of its output at a time. */
export async function eachLine(
  argv: readonly [string, ...string[]],
  each: (line: string) => void,
  { accept = [], from }: Pick<NonNullable<Parameters<typeof flow>[1]>, 'accept' | 'from'> = {},
): Promise<void> {
  let rest = ''
  const to = new Writable({
    write(piece: Buffer, _encoding, done) {
      // mail logs are ASCII, so a multi-byte letter that is split between two pieces does not matter
      const lines = `${rest}${piece}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) each(line)
      done()
    },
  })
  await flow(argv, { to: [to], accept, ...(from && { from }) })
  if (rest) each(rest)
}

const format = /^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) \S+ ([\w/.-]+)\[\d+\]: (?:([0-9A-Za-z]{6,20}): )?(.*)$/
const idFormat = /^.{16}\S+ [\w/.-]+\[\d+\]: ([0-9A-Za-z]{6,20}): /

/** The id of the message that a line is about; much quicker than `readLine`. */
export function idOf(line: string): string | undefined {
  const id = idFormat.exec(line)?.[1]
  return id === 'NOQUEUE' ? undefined : id
}

export function readLine(line: string): ReadLine | undefined {
  const [, stamp = '', by = '', id, text = ''] = format.exec(line) ?? []
  if (!stamp) return undefined
  return {
    at: timeOf(stamp).toISOString(),
    by,
    id: id === 'NOQUEUE' ? undefined : id,
    text: id === 'NOQUEUE' ? `NOQUEUE: ${text}` : text,
  }
}

/** The log contains no year: a time that would be in the future belongs to last year. */
function timeOf(stamp: string, now = new Date()): Date {
  const time = new Date(`${stamp} ${now.getFullYear()}`)
  if (time.getTime() > now.getTime() + 86_400_000) time.setFullYear(now.getFullYear() - 1)
  return time
}
