import { quoted, unquote } from './txt.ts'
import type { Line } from './zoneLines.ts'

export const classes = ['IN', 'CH', 'HS']

interface Row {
  ttl?: number
  type: string
  data: string[]
}
/** Parses `[name] [ttl] [class] type data…`, with TTL and class in either order. */
export function readLine({ words, indented }: Line): Row | string {
  const rest = indented ? [...words] : words.slice(1)
  let ttl: number | undefined
  for (let n = 0; n < 2; n++) {
    const [next = ''] = rest
    const seconds = secondsOf(next)
    if (seconds !== undefined && ttl === undefined) ttl = seconds
    else if (!classes.includes(next.toUpperCase())) break
    else if (next.toUpperCase() !== 'IN') return `The class ${next} is not supported`
    rest.shift()
  }
  const type = rest.shift()?.toUpperCase()
  if (!type || !/^[A-Z][A-Z0-9-]{0,19}$/.test(type)) return 'The record type is missing'
  return { ttl, type, data: rest }
}
/**
 * Completes a name with its origin, in lower case and without the final dot. The root, with which BIND starts its
 * files, is ''.
 */
export function absolute(name: string, origin: string): string {
  const text = name.replace(/\\(?:(\d{3})|([^\d]))/g, unescaped).toLowerCase()
  if (text === '@') return origin
  if (/(?<!\\)\.$/.test(text)) return text.slice(0, -1)
  return origin ? `${text}.${origin}` : text
}
/**
 * Decodes escapes such as `\119`. Characters that cannot be in a label, such as a dot, stay escaped and are refused
 * later.
 */
function unescaped(whole: string, code?: string, sign?: string): string {
  const letter = code === undefined ? sign : String.fromCharCode(Number(code))
  if (letter === '.') return '\\.'
  return letter !== undefined && /^[\w/+=~#&%*!-]$/.test(letter) ? letter : whole
}
/** Completes names in the data of a record: `mail` is relative to the origin, not to the zone. */
export function contentOf(type: string, data: string[], origin: string): string {
  // unquoted words may contain escapes too
  if (type === 'TXT' || type === 'SPF') return (unquote(data.join(' ')) ?? []).map(quoted).join(' ')
  return data
    .map((word, i) => (isName(type, i, data) ? (word === '.' ? '.' : `${absolute(word, origin)}.`) : word))
    .join(' ')
}
/** Positions of the names in the data of a record. */
const places: Readonly<Record<string, readonly number[]>> = {
  ...{ CNAME: [0], NS: [0], PTR: [0], ALIAS: [0], DNAME: [0], MX: [1], AFSDB: [1], KX: [1], LP: [1], SRV: [3] },
  ...{ SVCB: [1], HTTPS: [1], NAPTR: [5], RP: [0, 1], MINFO: [0, 1] },
  ...{ MB: [0], MG: [0], MR: [0] },
}
/** The gateway of an IPSECKEY is a name if its type says so. */
const isName = (type: string, place: number, data: readonly string[]): boolean =>
  places[type]?.includes(place) ?? (type === 'IPSECKEY' && place === 3 && Number(data[1]) === 3)
/** A TTL in seconds from `3600`, `1h30m` or `2d`. */
export function secondsOf(text: string): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (!/^(?:\d{1,6}[smhdw])+$/i.test(text)) return undefined
  const each = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 }
  return [...text.toLowerCase().matchAll(/(\d{1,6})([smhdw])/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * each[unit as keyof typeof each], // the pattern allows no other letter
    0,
  )
}
