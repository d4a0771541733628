import { type Replaced, type Replacer, serializedAt } from './serialized.ts'

/**
 * `domain`: a host name alone or with `www.`, not within a longer name or a mail address. `network`: also with any name
 * before it, as the websites of a network of WordPress have. `names`: the host name of
 * another website that becomes this website's, also below other names and in mail addresses.
 */
export interface Wanted {
  from: string
  to: string
  how: 'text' | 'domain' | 'network' | 'names'
}

export const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
export const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

const MOST_DEPTH = 20
/** Where PHP's serialized data may begin; a backslash before the quote means that the data are escaped. */
const begins = /(?<![A-Za-z0-9_])(?:a:\d+:\{|[sOC]:\d+:\\*")/g
const MOST_TRIES = 1000

/**
 * Replaces a text everywhere in a value: in serialized data of PHP with correct lengths, in JSON, and in one nested in
 * the other. Leaves text that only looks like serialized data unchanged, and reports it.
 */
export function replacer(wanted: Wanted): Replacer {
  const { plain, contains } = hows[wanted.how](wanted)
  const within = (bytes: string, depth: number): Replaced => {
    if (!contains(bytes)) return { text: bytes, count: 0, left: false }
    if (depth > MOST_DEPTH) return { text: bytes, count: 0, left: true }
    const nested: Replacer = (one) => within(one, depth + 1)
    return inJson(bytes, nested, plain) ?? inText(bytes, nested, plain)
  }
  return (bytes) => within(bytes, 0)
}

function inText(bytes: string, nested: Replacer, plain: Replacer): Replaced {
  let [text, count, left, broken, plainly, from, tries] = ['', 0, false, false, 0, 0, 0]
  const pass = (upTo: number) => {
    const made = plain(bytes.slice(from, upTo))
    text += made.text
    plainly += made.count
  }
  begins.lastIndex = 0
  for (let found = begins.exec(bytes); found; found = begins.exec(bytes)) {
    const at = begins.lastIndex
    const made = ++tries > MOST_TRIES ? undefined : serializedAt(bytes, found.index, nested)
    if (!made) {
      broken = true
      if (tries > MOST_TRIES) break
    } else {
      pass(found.index)
      text += made.text
      count += made.count
      left ||= made.left
      from = made.end
    }
    begins.lastIndex = made?.end ?? at
  }
  pass(bytes.length)
  // the bytes may be counted by a length that could not be parsed
  if (broken && text.length !== bytes.length) return { text: bytes, count: 0, left: true }
  return { text, count: count + plainly, left }
}

const literal = /"[^"\\]*(?:\\.?[^"\\]*)*(?:"|$)/gs

/** Replaces within JSON; undefined if the value is no JSON. Rewrites only changed strings, with their former escaping. */
function inJson(bytes: string, nested: Replacer, plain: Replacer): Replaced | undefined {
  if (!/^\s*[[{"]/.test(bytes)) return undefined
  try {
    JSON.parse(bytes)
  } catch {
    return undefined
  }
  let [count, left] = [0, false]
  const text = bytes.replace(literal, (one) => {
    const said = JSON.parse(fromBytes(one)) as string // a literal of valid JSON
    const made = said.isWellFormed() ? nested(toBytes(said)) : plain(one)
    count += made.count
    left ||= made.left
    if (!made.count) return one
    return said.isWellFormed() ? toBytes(escapedAs(one, fromBytes(made.text))) : made.text
  })
  return { text, count, left }
}

/** A text as JSON, with the same characters escaped as in the former literal. */
function escapedAs(former: string, text: string): string {
  const codes = new Set([...former.matchAll(/\\u([0-9a-fA-F]{4})/g)].map(([, code = '']) => Number.parseInt(code, 16)))
  const ascii = !/[\x80-\xff]/.test(former)
  const slash = /\\\//.test(former)
  const upper = /\\u[0-9a-fA-F]*[A-F]/.test(former)
  const shown = (unit: string) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${upper ? hex.toUpperCase() : hex}`
  }
  // only the inside: a quote of JSON is never escaped as \u
  return `"${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\\(?:u[0-9a-f]{4}|.)|[^\\]/gs, (one) => {
      const unit = one === '\\"' ? '"' : one
      if (unit === '/') return slash ? '\\/' : '/'
      if (unit.length > 2) return unit
      const code = unit.charCodeAt(0)
      return unit.length === 1 && (codes.has(code) || (ascii && code > 127 && codes.size)) ? shown(unit) : one
    })}"`
}

const hows = { text: ofText, domain: ofDomain, network: ofDomain, names: ofNames }
type How = { plain: Replacer; contains: (bytes: string) => boolean }
const quoted = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

function ofDomain({ from, to, how }: Wanted): How {
  const letter = 'A-Za-z0-9\\x80-\\xff'
  const name = new RegExp(
    `(?:(?<![${letter}@._-])|(?<=%(?!40)[0-9A-Fa-f]{2}))(${how === 'network' ? '(?:[A-Za-z0-9_-]+\\.)*' : '(?:www\\.)?'})${quoted(toBytes(from))}(?![${letter}_-]|\\.[${letter}])`,
    'gi',
  )
  const replacement = toBytes(to)
  const lower = toBytes(from).toLowerCase()
  return {
    contains: (bytes) => bytes.toLowerCase().includes(lower),
    plain: (bytes) => counted(bytes, name, (_, before = '') => `${before}${replacement}`),
  }
}

/** `to` comes first in the pattern: it stays where it contains `from`. */
function ofNames({ from, to }: Wanted): How {
  const letter = 'A-Za-z0-9\\x80-\\xff'
  const [before, after] = [toBytes(from), toBytes(to)]
  const name = new RegExp(
    `(?:(?<![${letter}_-])|(?<=%[0-9A-Fa-f]{2}))(${quoted(after)}|${quoted(before)})(?![${letter}_-]|\\.[${letter}])`,
    'gi',
  )
  const lower = before.toLowerCase()
  const own = after.toLowerCase()
  return {
    contains: (bytes) => bytes.toLowerCase().includes(lower),
    plain(bytes) {
      let count = 0
      const text = bytes.replace(name, (found) => {
        if (found.toLowerCase() === own) return found
        count++
        return after
      })
      return { text, count, left: false }
    },
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

function ofText({ from, to }: Wanted): How {
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

function counted(bytes: string, what: RegExp, to: (found: string, group?: string) => string): Replaced {
  let count = 0
  const text = bytes.replace(what, (found: string, group: unknown) => {
    count++
    return to(found, typeof group === 'string' ? group : undefined)
  })
  return { text, count, left: false }
}

/** The longest part of a text that looks the same however the text is escaped; may be empty. */
export const chunkOf = (text: string): string =>
  (text.match(/[A-Za-z0-9._-]+/g) ?? []).reduce((longest, one) => (one.length > longest.length ? one : longest), '')
