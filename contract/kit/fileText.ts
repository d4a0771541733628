/** The text of a file, or why it cannot be read. */
type FileText = { text: string } | { problem: string }

const utf8 = new TextDecoder('utf-8', { fatal: true })
const isAscii = (line: Uint8Array) => line.every((byte) => byte < 0x80)
const isUtf8 = (line: Uint8Array) => {
  try {
    utf8.decode(line)
    return true
  } catch {
    return false // not UTF-8
  }
}

const WRONG = 'This is not a text file: save a table as CSV, a certificate as PEM'
/** As many bytes are enough to see the letters of a file. */
const HEAD = 10_000

/** The kind of UTF-16 that a file without a mark has: every other byte of our letters, digits and commas is 0. */
function wideness(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const head = bytes.subarray(0, HEAD)
  let [even, odd] = [0, 0]
  for (let at = 0; at < head.length; at += 2) {
    if (head[at] === 0) even++
    if (head[at + 1] === 0) odd++
  }
  const least = head.length / 4 // half of the letters
  if (odd > least && even * 8 < odd) return 'utf-16le' // some signs have a 0 at the other side: Ā, an ideographic space
  return even > least && odd * 8 < even ? 'utf-16be' : undefined
}

/** A letter that is cut, as at the end of half a file, would become another one. */
function wideText(bytes: Uint8Array, kind: 'utf-16le' | 'utf-16be'): FileText {
  try {
    const text = new TextDecoder(kind, { fatal: true }).decode(bytes)
    return text.includes('\0') ? { problem: WRONG } : { text }
  } catch {
    return { problem: 'A letter of the file is cut or damaged: save it again, as UTF-8' }
  }
}

/**
 * Text of a file in UTF-8, UTF-16, or the encoding of Excel on Windows. A file that is no text, or whose lines
 * have several encodings, is refused: its letters would become other ones without a word.
 */
export function fileText(bytes: Uint8Array): FileText {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return wideText(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return wideText(bytes, 'utf-16be')
  if (bytes.includes(0)) {
    const kind = wideness(bytes)
    return kind ? wideText(bytes, kind) : { problem: WRONG }
  }
  if (isUtf8(bytes)) return { text: utf8.decode(bytes) }
  let other: number | undefined
  let ours: number | undefined
  let number = 1
  for (let at = 0; at < bytes.length && (other === undefined || ours === undefined); number++) {
    const end = bytes.indexOf(10, at)
    const line = bytes.subarray(at, end < 0 ? bytes.length : end)
    at = end < 0 ? bytes.length : end + 1
    if (isAscii(line)) continue
    if (isUtf8(line)) ours ??= number
    else other ??= number
  }
  if (other !== undefined && ours !== undefined)
    return { problem: `Line ${ours} is in UTF-8 and line ${other} is not: save the whole file as UTF-8` }
  return { text: new TextDecoder('windows-1252').decode(bytes) }
}
