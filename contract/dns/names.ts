/** Names in a zone as people write them: `@`, `www`, `www.example.org.`; kept in lower case and in `xn--` form. */

export type Read<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string }
const good = <T>(value: T): Read<T> => ({ value })
const bad = (problem: string): Read<never> => ({ problem })

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** The name below its zone, `@` for the zone itself. With its dot, or ending in the zone, it is whole already. */
export function readName(typed: string, zone: string): Read<string> {
  const given = typed.trim().toLowerCase()
  if (given === '@' || given === '') return good('@')
  const text = ascii(given) // letters that nobody sees are none: nothing may be left, which is not the zone
  const whole = text.replace(/\.$/, '')
  if (whole === zone) return good('@')
  const inside = whole.endsWith(`.${zone}`)
  if (text.endsWith('.') && !inside) return bad(`Lies outside ${zone}`)
  const name = inside ? whole.slice(0, -zone.length - 1) : whole
  const labels = name.split('.')
  const wrong = labels.find((part, i) => !label.test(part) && !(part === '*' && i === 0))
  if (wrong === '*') return bad('* stands only at the beginning')
  if (wrong === '') return bad('Two dots without a name between them')
  if (wrong !== undefined) return bad(wrong.length > 63 ? 'Longer than 63 characters between two dots' : odd(wrong))
  if (fullName(name, zone).length > 253) return bad('Longer than 253 characters with its zone')
  return good(name)
}
const odd = (part: string) => `${part.slice(0, 40)} is no name: letters, digits, - and _ only, no - at its ends`

/** `www` of example.org is www.example.org, without the last dot. */
export const fullName = (name: string, zone: string): string => (name === '@' ? zone : `${name}.${zone}`)

/**
 * What a record points to, with its last dot. A single word is of this zone, anything with a dot is whole: people write
 * `mail.example.org` and mean it. `.` alone means "none" where `none` is allowed.
 */
export function readTarget(typed: string, zone: string, none = false): Read<string> {
  const text = ascii(typed.trim().toLowerCase())
  if (text === '.') return none ? good('.') : bad('A name is needed here')
  if (text === '') return bad('Required')
  if (text === '@') return good(`${zone}.`)
  if (/^[\d.]+$/.test(text) || text.includes(':')) return bad('A name, not an address')
  const whole = text.endsWith('.') ? text.slice(0, -1) : text.includes('.') ? text : `${text}.${zone}`
  const wrong = whole.split('.').find((part) => !label.test(part))
  if (wrong !== undefined) return bad(wrong === '' ? 'Two dots without a name between them' : odd(wrong))
  if (whole.length > 253) return bad('Longer than 253 characters')
  return good(`${whole}.`)
}

/** Each part by itself: a URL would also read `é@evil.example`. What cannot be a name stays as it is, and is refused. */
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
/** Cyrillic and Greek letters that look like Latin ones: a name of these alone reads as another. */
const lookalike = /^[аеорсухіјѕһԁѵԛԝоαορνυικτ0-9-]+$/u

/** Why a name may be taken for another one, or nothing. `typed` is as people read it, not its `xn--` form. */
export function looksLike(typed: string): string | undefined {
  for (const part of typed.toLowerCase().split('.')) {
    const found = Object.entries(scripts).flatMap(([name, letters]) => (letters.test(part) ? [name] : []))
    if (found.length > 1) return `${part} mixes ${found.join(' and ')} letters: it may be taken for another name`
    if (found[0] !== undefined && found[0] !== 'Latin' && lookalike.test(part))
      return `${part} is written in ${found[0]} letters that look like Latin ones`
  }
  return undefined
}
