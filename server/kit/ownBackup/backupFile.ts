import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as z from 'zod'

/*
 * A backup is gzip over lines of JSON (`zcat FILE | less` shows it):
 *   {"innkeeper":"backup","format":1,"schema":…,"taken":…,"from":…}
 *   {"part":"table","name":"users","columns":["user_id",…]}
 *   ["1","admin",…]                              values as PostgreSQL writes them as text, or null
 *   {"end":"users","rows":1,"sha256":…}          over the part's first line and its rows
 *   {"end":"backup","parts":1,"sha256":…}        over the header and the ends of all parts
 */
const Header = z.object({
  innkeeper: z.literal('backup'),
  format: z.literal(1, 'The backup has a newer format than this Innkeeper reads'),
  /** See migrations.ts. */
  schema: z.int(),
  taken: z.iso.datetime(),
  from: z.enum(['embedded', 'postgresql']),
})
export type Header = z.output<typeof Header>

const Part = z.object({
  part: z.enum(['key', 'table', 'sequences']),
  name: z.string(),
  columns: z.array(z.string()),
})
export type Part = z.output<typeof Part>

const End = z.object({ end: z.string(), rows: z.int().optional(), parts: z.int().optional(), sha256: z.string() })

/** Each row is the JSON text of an array. */
export type Filled = Part & { batches: AsyncIterable<string[]> }

/** Error: the file is damaged, cut short, or not a backup. */
export class NotWhole extends Error {}

const digest = (hash: Hash) => hash.digest('hex')

/**
 * Writes to a temporary file and renames it at the end, so that the final name always has a complete backup. Only the
 * owner can read the file.
 */
export async function writeBackup(path: string, header: Header, parts: AsyncIterable<Filled>): Promise<void> {
  const aside = `${path}.partial`
  try {
    const out = createWriteStream(aside, { mode: 0o600, flush: true })
    await pipeline(Readable.from(linesOf(header, parts)), createGzip(), out)
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

async function* linesOf(header: Header, parts: AsyncIterable<Filled>): AsyncGenerator<string> {
  const whole = createHash('sha256')
  const first = `${JSON.stringify(header)}\n`
  whole.update(first)
  yield first
  let count = 0
  for await (const { batches, ...part } of parts) {
    const hash = createHash('sha256')
    const head = `${JSON.stringify(part)}\n`
    hash.update(head)
    yield head
    let rows = 0
    for await (const batch of batches) {
      if (!batch.length) continue
      const text = `${batch.join('\n')}\n`
      hash.update(text)
      rows += batch.length
      yield text
    }
    const end = `${JSON.stringify({ end: part.name, rows, sha256: digest(hash) })}\n`
    whole.update(end)
    count += 1
    yield end
  }
  yield `${JSON.stringify({ end: 'backup', parts: count, sha256: digest(whole) })}\n`
}

const BATCH = 500
const BATCH_LENGTH = 1_000_000

/**
 * Reads a backup from end to end and verifies every checksum. With `take`, passes on the rows of each part in batches,
 * at least one batch per part. Throws `NotWhole`, possibly after rows were passed on: verify first.
 */
export async function readBackup(
  path: string,
  take: (part: Part, rows: string[]) => Promise<void> = async () => {},
): Promise<Header> {
  const whole = createHash('sha256')
  let header: Header | undefined
  let open: { part: Part; hash: Hash; count: number; batch: string[]; length: number } | undefined
  let parts = 0
  let ended = false
  for await (const line of splitLines(path)) {
    const text = `${line}\n`
    if (ended) throw new NotWhole(`${path} goes on after its end`)
    if (!header) {
      header = understood(path, Header, line)
      whole.update(text)
    } else if (open && line.startsWith('[')) {
      open.hash.update(text)
      open.batch.push(line)
      open.count += 1
      open.length += line.length
      if (open.batch.length < BATCH && open.length < BATCH_LENGTH) continue
      await take(open.part, open.batch)
      open = { ...open, batch: [], length: 0 }
    } else if (open) {
      const end = understood(path, End, line)
      if (end.end !== open.part.name || end.rows !== open.count || end.sha256 !== digest(open.hash))
        throw new NotWhole(`${path} is damaged: ${open.part.name} is not what was written`)
      await take(open.part, open.batch)
      whole.update(text)
      parts += 1
      open = undefined
    } else if (line.startsWith('{"end"')) {
      const end = understood(path, End, line)
      ended = end.end === 'backup' && end.parts === parts && end.sha256 === digest(whole)
      if (!ended) throw new NotWhole(`${path} is damaged: its parts are not those that were written`)
    } else {
      open = { part: understood(path, Part, line), hash: createHash('sha256'), count: 0, batch: [], length: 0 }
      open.hash.update(text)
    }
  }
  if (!header || !ended) throw new NotWhole(`${path} is cut short`)
  return header
}

function understood<S extends z.ZodType>(path: string, schema: S, line: string): z.output<S> {
  try {
    return schema.parse(JSON.parse(line))
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : 'not JSON'
    throw new NotWhole(`${path} is not a backup of Innkeeper, or damaged: ${why}`, { cause })
  }
}

/** Splits at newlines only: readline would also split at U+2028, which JSON does not escape. */
async function* splitLines(path: string): AsyncGenerator<string> {
  const gunzip = createGunzip()
  // an error of either stream is thrown by the loop below, so the error of the pipeline is ignored
  const fed = pipeline(createReadStream(path), gunzip).catch((error: unknown) => error)
  let rest: Buffer[] = []
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        rest.push(chunk.subarray(from, at))
        yield Buffer.concat(rest).toString('utf8')
        rest = []
        from = at + 1
      }
      rest.push(chunk.subarray(from))
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))
      throw new NotWhole(`${path} is not a backup, or damaged or cut short: ${error.message}`, { cause: error })
    throw error
  }
  await fed
  if (rest.some((part) => part.length)) throw new NotWhole(`${path} is cut short`)
}
