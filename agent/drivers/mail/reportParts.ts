import { gunzipSync, inflateRawSync } from 'node:zlib'

/** Bounds of a report: bytes after unpacking, parts of its mail, parts within parts. */
const MOST_BYTES = 10 * 1024 * 1024
const MOST_PARTS = 20
const DEEPEST = 3

interface Part {
  headers: string
  body: string
}

/** The text of the report in a mail, unpacked; undefined: the mail contains none. Throws if it is too large or broken. */
export function reportIn(mail: string): string | undefined {
  const waiting: { part: Part; depth: number }[] = [{ part: split(mail), depth: 0 }]
  for (let seen = 0; seen < MOST_PARTS; seen++) {
    const next = waiting.shift()
    if (!next) return undefined
    const boundary = boundaryOf(next.part.headers)
    if (boundary && next.depth < DEEPEST)
      waiting.push(...partsOf(next.part.body, boundary).map((part) => ({ part, depth: next.depth + 1 })))
    const found = boundary ? undefined : unpacked(next.part)
    if (found !== undefined) return found
  }
  return undefined
}

function split(text: string): Part {
  const at = text.indexOf('\n\n')
  return at < 0 ? { headers: text, body: '' } : { headers: text.slice(0, at), body: text.slice(at + 2) }
}

/** A header in one line, in lower case except its value. */
function header(headers: string, name: string): string {
  const lines = headers.replaceAll('\n ', ' ').replaceAll('\n\t', ' ').split('\n')
  return (
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  )
}

function boundaryOf(headers: string): string | undefined {
  const type = header(headers, 'content-type')
  if (!type.toLowerCase().startsWith('multipart/')) return undefined
  const at = type.toLowerCase().indexOf('boundary=')
  if (at < 0) return undefined
  const rest = type.slice(at + 'boundary='.length)
  return rest.startsWith('"') ? rest.slice(1).split('"')[0] : rest.split(';')[0]?.trim()
}

const partsOf = (body: string, boundary: string): Part[] =>
  `\n${body}`
    .split(`\n--${boundary}`, MOST_PARTS + 1)
    .slice(1)
    .filter((text) => !text.startsWith('--'))
    .map((text) => split(text.slice(text.indexOf('\n') + 1)))

/** The report of a part, by the first bytes of its content: senders name types as they like. */
function unpacked({ headers, body }: Part): string | undefined {
  const isBase64 = header(headers, 'content-transfer-encoding').toLowerCase() === 'base64'
  const bytes = isBase64 ? Buffer.from(body, 'base64') : Buffer.from(body, 'latin1')
  if (bytes.length > 3 && bytes[0] === 0x1f && bytes[1] === 0x8b)
    return textOf(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }))
  if (bytes.length > 30 && bytes.readUInt32LE(0) === 0x04034b50) return textOf(firstOfZip(bytes))
  const text = textOf(bytes).trimStart()
  return text.startsWith('<?xml') || text.startsWith('<feedback') || text.startsWith('{') ? text : undefined
}

/** The first file of an archive. */
function firstOfZip(bytes: Buffer): Buffer {
  const method = bytes.readUInt16LE(8)
  const size = bytes.readUInt32LE(18)
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)
  if (method === 0) return bytes.subarray(start, start + size)
  if (method !== 8) throw new Error('the archive of the report is packed in an unknown way')
  return inflateRawSync(bytes.subarray(start), { maxOutputLength: MOST_BYTES })
}

const textOf = (bytes: Buffer) => bytes.toString('utf8').replace(/^\uFEFF/, '')
