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

/**
 * Text of a file in UTF-8, UTF-16 with its mark, or the encoding of Excel on Windows. A file that is no text, or whose lines
 * have several encodings, is refused: its letters would become other ones without a word.
 */
export function fileText(bytes: Uint8Array): FileText {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) }
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) }
  if (bytes.includes(0)) return { problem: 'This is not a text file: save a table as CSV, a certificate as PEM' }
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
