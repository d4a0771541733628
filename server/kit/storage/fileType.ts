const ascii = (head: Buffer, at: number, text: string) =>
  head.subarray(at, at + text.length).toString('latin1') === text

/** Magic numbers of the file types that staff upload, from the specifications of the formats. */
const marks: [type: string, is: (head: Buffer) => boolean][] = [
  ['image/png', (h) => ascii(h, 0, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (h) => ascii(h, 0, '\xff\xd8\xff')],
  ['image/gif', (h) => ascii(h, 0, 'GIF87a') || ascii(h, 0, 'GIF89a')],
  ['image/webp', (h) => ascii(h, 0, 'RIFF') && ascii(h, 8, 'WEBP')],
  ['image/avif', (h) => ascii(h, 4, 'ftypavif')],
  ['application/pdf', (h) => ascii(h, 0, '%PDF-')],
  ['application/zip', (h) => ascii(h, 0, 'PK\x03\x04') || ascii(h, 0, 'PK\x05\x06')],
  ['application/gzip', (h) => ascii(h, 0, '\x1f\x8b')],
  ['application/zstd', (h) => ascii(h, 0, '\x28\xb5\x2f\xfd')],
  ['application/x-xz', (h) => ascii(h, 0, '\xfd7zXZ\0')],
  ['application/x-7z-compressed', (h) => ascii(h, 0, '7z\xbc\xaf\x27\x1c')],
  ['application/x-tar', (h) => ascii(h, 257, 'ustar')],
  ['application/x-executable', (h) => ascii(h, 0, '\x7fELF') || ascii(h, 0, 'MZ')],
  ['video/mp4', (h) => ascii(h, 4, 'ftyp')],
  ['video/webm', (h) => ascii(h, 0, '\x1a\x45\xdf\xa3')],
  ['audio/mpeg', (h) => ascii(h, 0, 'ID3')],
  ['audio/ogg', (h) => ascii(h, 0, 'OggS')],
  ['audio/wav', (h) => ascii(h, 0, 'RIFF') && ascii(h, 8, 'WAVE')],
]

/** Number of leading bytes that `typeOf` needs. */
export const HEAD = 1024

/** File type by the first bytes. Name and announced type are not trusted. */
export function typeOf(head: Buffer): string {
  const known = marks.find(([, is]) => is(head))
  if (known) return known[0]
  const text = textOf(head)
  if (text === undefined) return 'application/octet-stream'
  if (/<svg[\s>]/i.test(text)) return 'image/svg+xml'
  if (/^\s*(<!doctype html|<!--|<(html|head|body|script|iframe|title|meta|table|a|p|div)[\s>])/i.test(text))
    return 'text/html'
  return /^\s*<\?xml/.test(text) ? 'application/xml' : 'text/plain'
}

/** The only control characters that text may contain: tab, line feed, form feed, carriage return, escape. */
const textual = new Set([9, 10, 12, 13, 27])

/** The head as text; undefined if it is not text. An incomplete character at the end is accepted. */
function textOf(head: Buffer): string | undefined {
  if (head.some((byte) => byte < 32 && !textual.has(byte))) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    return undefined
  }
}
