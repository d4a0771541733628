/** TXT records: people type plain text; name servers store quoted strings of at most 255 bytes each. */

/** Maximum bytes of one TXT record. A DNS message has room for 65,535 bytes in all. */
export const MAX_TXT = 8192
const STRING = 255

/** Converts plain text, or quoted strings of a zone file, to the quoted strings of a name server. */
export function quoteTxt(typed: string): { value: string } | { problem: string } {
  const text = typed.trim()
  const strings = text.startsWith('"') ? unquote(text) : [bytesOf(typed)]
  if (!strings) return { problem: 'A quotation mark is not closed' }
  const length = strings.reduce((sum, one) => sum + one.length, 0)
  if (length > MAX_TXT) return { problem: `${length} bytes: at most ${MAX_TXT}` }
  if (length === 0 && !text) return { problem: 'Required' }
  return { value: strings.flatMap(cut).map(quoted).join(' ') }
}

/** Converts quoted strings to readable text: joined, with UTF-8 decoded. */
export function plainTxt(content: string): string {
  const strings = unquote(content) ?? [bytesOf(content)]
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(strings.flat()))
}

const encoder = new TextEncoder()
const bytesOf = (text: string): number[] => [...encoder.encode(text)]

function cut(bytes: number[]): number[][] {
  const parts: number[][] = []
  for (let at = 0; at === 0 || at < bytes.length; at += STRING) parts.push(bytes.slice(at, at + STRING))
  return parts
}

/** Quotes bytes like PowerDNS: printable ASCII unchanged, a backslash before `"` and `\`, other bytes as `\ddd`. */
export const quoted = (bytes: number[]): string =>
  `"${bytes.map((b) => (b < 32 || b > 126 ? `\\${String(b).padStart(3, '0')}` : b === 34 || b === 92 ? `\\${String.fromCharCode(b)}` : String.fromCharCode(b))).join('')}"`

/** Parses `"a" "b"` into bytes; undefined if a quotation mark is not closed. Unquoted words count as strings too. */
export function unquote(text: string): number[][] | undefined {
  const strings: number[][] = []
  for (let at = 0; at < text.length; ) {
    const c = text[at]
    if (c === ' ' || c === '\t') {
      at += 1
      continue
    }
    const isQuoted = c === '"'
    const bytes: number[] = []
    for (at += isQuoted ? 1 : 0; ; ) {
      const now = text[at]
      if (now === undefined) {
        if (isQuoted) return undefined
        break
      }
      if (isQuoted ? now === '"' : now === ' ' || now === '\t') {
        at += 1
        break
      }
      const escaped = now === '\\' ? /^\\(?:(\d{3})|([\s\S]))/.exec(text.slice(at, at + 4)) : null
      const code = escaped?.[1] ? Number(escaped[1]) : undefined
      if (code !== undefined && code <= 255) bytes.push(code)
      else if (escaped) bytes.push(...bytesOf(escaped[2] ?? escaped[1] ?? ''))
      const point = text.codePointAt(at) ?? 0
      if (!escaped && point < 128) bytes.push(point)
      else if (!escaped) bytes.push(...bytesOf(String.fromCodePoint(point)))
      at += escaped ? escaped[0].length : point > 0xffff ? 2 : 1
    }
    strings.push(bytes)
  }
  return strings
}
