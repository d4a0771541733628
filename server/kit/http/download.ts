import { Readable } from 'node:stream'
import { pictures, type Served, type Written } from '@innkeeper/contract/kit/transfer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Missing } from '../storage/storage.ts'
import { Refusal } from './errors.ts'
import { type StillMay, whileAllowed } from './whileAllowed.ts'

/** Shown files get an opaque origin and may not run scripts, load resources or be framed by other sites. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox; frame-ancestors 'self'"
/** Chrome shows no PDF in a sandboxed document. Its viewer runs in a separate process, and nothing else may load. */
const forPdf = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"

const shown: readonly string[] = [...pictures, 'application/pdf']

/**
 * Sends a file: the whole, one requested range (RFC 9110 §14), or 304 if the client has the current version.
 * `stillMay` throws a refusal once the caller may not download any more, which closes the connection. A file whose bytes are gone is
 * refused.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Served | Written,
  stillMay?: StillMay,
): Promise<FastifyReply> {
  if ('parts' in file)
    return sendWritten(reply, { ...file, parts: await begun(file.name, whileAllowed(file.parts, stillMay)) })
  const inline = file.inline === true && shown.includes(file.type)
  const etag = `"${file.sha256}"`
  const fresh = [undefined, etag].includes([request.headers['if-range']].flat()[0])
  const range = fresh ? rangeOf(request.headers.range, file.size) : undefined
  const isKnown = matches(request.headers['if-none-match'], etag)
  const [start, end] = range === undefined || range === 'none' ? [0, file.size - 1] : range
  const isEmpty = request.method === 'HEAD' || end < start || isKnown || range === 'none'
  // before the headers, which an error could not take back
  const bytes = isEmpty ? [] : await begun(file.name, whileAllowed(file.read(start, end), stillMay))
  reply.headers({
    etag,
    'accept-ranges': isByTicket(request) ? 'none' : 'bytes', // a ticket opens one download: no part can be asked for later
    'cache-control': file.keep ? `public, max-age=${file.keep}` : 'private, no-cache',
    'content-security-policy': inline && file.type === 'application/pdf' ? forPdf : sandbox,
    'content-disposition': disposition(inline ? 'inline' : 'attachment', file.name),
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  if (isKnown) return reply.code(304).send()
  // the type is sent only for files that a browser may show
  reply.type(inline ? file.type : 'application/octet-stream')
  if (range === 'none')
    return reply.code(416).header('content-range', `bytes */${file.size}`).header('content-length', 0).send()
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`)
  reply.header('content-length', end - start + 1)
  return reply.send(Readable.from(bytes, { objectMode: false }))
}

/** The bytes of a file once the first ones have been read: what fails until then is an answer with a status of its own. */
export async function begun<T>(name: string, bytes: AsyncGenerator<T>): Promise<AsyncIterableIterator<T>> {
  const first = await bytes.next().catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error
    throw new Refusal(404, { code: 'not-found', message: `${name} is listed here, but the file store has lost it` })
  })
  let waiting: IteratorResult<T> | undefined = first
  const both: AsyncIterableIterator<T> = {
    async next() {
      const now = waiting ?? (await bytes.next())
      waiting = undefined
      return now
    },
    return: () => bytes.return(undefined), // closes the file, also if nobody has asked for a byte
    [Symbol.asyncIterator]: () => both,
  }
  return both
}

// the type that parseQuery returns
const isByTicket = ({ query }: FastifyRequest) => typeof (query as Record<string, unknown>).ticket === 'string'

/**
 * Streams a generated file that has begun. A later error closes the connection, so that the client does not take half a file for a whole
 * one.
 */
const sendWritten = (reply: FastifyReply, { name, type, parts }: Written): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', 'content-disposition': disposition('attachment', name) })
    .type(type)
    .send(Readable.from(parts))

/** RFC 6266: the name in UTF-8, and an ASCII name for clients without UTF-8. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const exact = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}

/**
 * The requested range. `none` if it lies outside the file; undefined without a range and for several or invalid ranges,
 * in which case the whole file is sent.
 */
function rangeOf(header: string | undefined, size: number): [number, number] | 'none' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const [start, end] =
    from === ''
      ? [Math.max(0, size - Number(to)), size - 1]
      : [Number(from), Math.min(to ? Number(to) : size - 1, size - 1)]
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return start >= size || end < start ? 'none' : [start, end]
}

const matches = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag) ?? false
