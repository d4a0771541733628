/** Names in a zone. People type `@`, `www` or `www.example.org.`; stored in lower case and ASCII (`xn--`). */

export type Read<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string }
const good = <T>(value: T): Read<T> => ({ value })
const bad = (problem: string): Read<never> => ({ problem })

/** Labels that the API of PowerDNS accepts; `/` divides reverse zones (RFC 2317). */
const label = /^[a-z0-9_/-]{1,63}$/
/** Labels in the data of records; `\\.` is a dot within a label, as in mailboxes. */
const targetLabel = /^(?=.{1,126}$)(?:[a-z0-9_/+=~#&%*!-]|\\\.){1,63}$/

/**
 * Converts a typed name to a name within the zone; `@` for the zone itself. A name with a final dot, or ending in the
 * zone, is complete.
 */
export function readName(typed: string, zone: string): Read<string> {
  const given = typed.trim().toLowerCase()
  if (given === '@' || given === '') return good('@')
  const text = ascii(given) // a name of invisible characters becomes empty here, and must not pass as the zone itself
  const whole = text.replace(/\.$/, '')
  if (whole === zone) return good('@')
  const inside = whole.endsWith(`.${zone}`)
  if (text.endsWith('.') && !inside) return bad(`Outside the zone ${zone}`)
  const name = inside ? whole.slice(0, -zone.length - 1) : whole
  const labels = name.split('.')
  const wrong = labels.find((part, i) => !label.test(part) && !(part === '*' && i === 0))
  if (wrong === '*') return bad('* is allowed only at the start')
  if (wrong === '') return bad('Two dots without a name between them')
  if (wrong !== undefined) return bad(wrong.length > 63 ? 'Longer than 63 characters between two dots' : odd(wrong))
  if (fullName(name, zone).length > 253) return bad('Longer than 253 characters with its zone')
  return good(name)
}
const odd = (part: string) => `${part.slice(0, 40)} is not a name: only letters, digits, -, _ and /`

/** The full name without the final dot: `www` in example.org becomes `www.example.org`. */
export const fullName = (name: string, zone: string): string => (name === '@' ? zone : `${name}.${zone}`)

/**
 * Converts the typed target of a record to a full name with a final dot. A single word is completed with the zone; a
 * name with a dot is complete, as in `mail.example.org`. `.` means "none" where `none` is allowed.
 */
export function readTarget(typed: string, zone: string, none = false): Read<string> {
  const text = ascii(typed.trim().toLowerCase())
  if (text === '.') return none ? good('.') : bad('A name is required')
  if (text === '') return bad('Required')
  if (text === '@') return good(`${zone}.`)
  if (/^[\d.]+$/.test(text) || text.includes(':')) return bad('A name, not an address')
  const whole = /(?<!\\)\.$/.test(text) ? text.slice(0, -1) : text.includes('.') ? text : `${text}.${zone}`
  const wrong = whole.split(/(?<!\\)\./).find((part) => !targetLabel.test(part))
  if (wrong !== undefined) return bad(wrong === '' ? 'Two dots without a name between them' : odd(wrong))
  if (whole.length > 253) return bad('Longer than 253 characters')
  return good(`${whole}.`)
}

/**
 * Converts each label to ASCII separately, because a URL would also accept `é@evil.example`. Invalid labels stay as
 * they are and are refused later.
 */
function ascii(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text
  return text.split('.').map(labelToAscii).join('.')
}
function labelToAscii(part: string): string {
  if (!/[^\0-\x7f]/.test(part) || /[^a-z0-9\-\x80-\u{10ffff}]/u.test(part)) return part
  try {
    return new URL(`http://${part}.test`).hostname.replace(/\.test$/, '')
  } catch {
    return part
  }
}

const scripts = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
}
/** Cyrillic and Greek letters that look like Latin letters. A name that consists of them looks like another name. */
const lookalike = /^[аеорсухіјѕһԁѵԛԝоαορνυικτ0-9-]+$/u

/** Warns when a name looks like another one. `typed` is in its own letters, not in `xn--` form. */
export function looksLike(typed: string): string | undefined {
  for (const part of typed.toLowerCase().split('.')) {
    const found = Object.entries(scripts).flatMap(([name, letters]) => (letters.test(part) ? [name] : []))
    if (found.length > 1) return `${part} mixes ${found.join(' and ')} letters: it may be taken for another name`
    if (found[0] !== undefined && found[0] !== 'Latin' && lookalike.test(part))
      return `${part} is written in ${found[0]} letters that look like Latin ones`
  }
  return undefined
}
