import { Readable } from 'node:stream'
import { pictures, type Served, type Written } from '@innkeeper/contract/transfer'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Nothing of what is shown may run, load or frame, and it has an origin of its own. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox; frame-ancestors 'self'"
/** Chrome shows no PDF in a sandboxed document; its viewer is a process of its own, and nothing else may load. */
const forPdf = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"

const shown: readonly string[] = [...pictures, 'application/pdf']

/** Sends a file: the whole, one requested range (RFC 9110 §14), or 304 if the client has the current version. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: Served | Written): FastifyReply {
  if ('parts' in file) return sendWritten(reply, file)
  const inline = file.inline === true && shown.includes(file.type)
  const etag = `"${file.sha256}"`
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': file.keep ? `public, max-age=${file.keep}` : 'private, no-cache',
    'content-security-policy': inline && file.type === 'application/pdf' ? forPdf : sandbox,
    'content-disposition': disposition(inline ? 'inline' : 'attachment', file.name),
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  // what no browser may show, it is not told the type of either
  reply.type(inline ? file.type : 'application/octet-stream')
  const fresh = [undefined, etag].includes([request.headers['if-range']].flat()[0])
  const range = fresh ? rangeOf(request.headers.range, file.size) : undefined
  if (range === 'none')
    return reply.code(416).header('content-range', `bytes */${file.size}`).header('content-length', 0).send()
  const [start, end] = range ?? [0, file.size - 1]
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`)
  reply.header('content-length', end - start + 1)
  const empty = request.method === 'HEAD' || end < start
  return reply.send(Readable.from(empty ? [] : file.read(start, end), { objectMode: false }))
}

/** As fast as it is read. When it breaks off so does the connection: half a file is not taken for a whole one. */
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

/** `none` where no byte of it is there; undefined for none, for several and for what cannot be read: all of it then. */
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
