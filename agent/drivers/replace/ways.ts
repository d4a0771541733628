import { chunkOf, counted, type How, quoted, toBytes, type Wanted } from './inBytes.ts'

export function ofDomain({ from, to }: Wanted): How {
  const letter = 'A-Za-z0-9\\x80-\\xff'
  const name = new RegExp(
    `(?:(?<![${letter}@._-])|(?<=%(?!40)[0-9A-Fa-f]{2}))(www\\.)?${quoted(toBytes(from))}(?![${letter}_-]|\\.[${letter}])`,
    'gi',
  )
  const replacement = toBytes(to)
  const lower = toBytes(from).toLowerCase()
  return {
    contains: (bytes) => bytes.toLowerCase().includes(lower),
    plain: (bytes) => counted(bytes, name, (_, www = '') => `${www}${replacement}`),
  }
}
const jsonText = (text: string) => JSON.stringify(text).slice(1, -1)
const slashed = (text: string) => jsonText(text).replaceAll('/', '\\/')
const asciiOf = (text: string) =>
  text.replaceAll(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
/** Ways in which a text occurs within others: as it is, in JSON once or twice, in an address. */
const ways: ((text: string) => string)[] = [
  (text) => text,
  jsonText,
  slashed,
  (text) => asciiOf(jsonText(text)),
  (text) => asciiOf(slashed(text)),
  (text) => jsonText(slashed(text)),
  (text) => slashed(jsonText(text)),
  (text) => slashed(slashed(text)),
  (text) => jsonText(asciiOf(slashed(text))),
  (text) => slashed(asciiOf(slashed(text))),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
]
export function ofText({ from, to }: Wanted): How {
  const pairs = new Map<string, string>()
  for (const way of ways) if (!pairs.has(toBytes(way(from)))) pairs.set(toBytes(way(from)), toBytes(way(to)))
  const longestFirst = [...pairs.keys()].sort((a, b) => b.length - a.length)
  const any = new RegExp(longestFirst.map(quoted).join('|'), 'g')
  const chunk = toBytes(chunkOf(from))
  return {
    contains: (bytes) => bytes.includes(chunk),
    plain: (bytes) => counted(bytes, any, (found) => pairs.get(found) ?? found),
  }
}
