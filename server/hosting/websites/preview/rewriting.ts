import { Transform } from 'node:stream'
import { inUnicode } from '../view.ts'

/** A website as a browser reaches it in the preview. */
export interface Previewed {
  /** Every name under which the website answers; `*.example.org` stands for all names below. */
  names: readonly string[]
  /** True if the website serves https. */
  https: boolean
  /** Text after a name in the preview: `.localhost:4480`. */
  suffix: string
}

/** More than the longest URL prefix that `toPreview` matches: scheme, escaped slashes, name, port. */
const LONGEST = 640

/**
 * Replaces the website's own URLs by those of the preview: with `https://`, `http://`, protocol-relative, and with
 * slashes as JSON and HTML escape them. Other hosts and ports stay. Texts are bytes as Latin-1, so that every
 * ASCII-based charset is preserved.
 */
export function toPreview({ names, suffix }: Previewed): (text: string, before?: string) => string {
  const pattern = ownUrls(names)
  return (text, before = '') =>
    text.replace(pattern, (whole: string, ...found: unknown[]) => {
      const [scheme = '', slashes, , name, at] = found as [string | undefined, string, string, string, number]
      const plain = { http: 'http:', https: 'http:', ws: 'ws:', wss: 'ws:' }[scheme.slice(0, -1).toLowerCase()]
      if (scheme ? !plain : /[\w:/.%-]/.test(text[at - 1] ?? before)) return whole
      return `${plain ?? ''}${slashes}${name}${suffix}`
    })
}

function ownUrls(names: readonly string[]): RegExp {
  const scheme = '([a-z][a-z0-9+.-]{0,9}:)?'
  const slashes = String.raw`((\\{0,8}\/|\\{1,8}u002f|&#0{0,3}47;|&#x0{0,3}2f;)\3)`
  const after = String.raw`(?::(?:80|443))?(?![a-z0-9_-]|\.[a-z0-9]|:\d)`
  return new RegExp(`${scheme}${slashes}(${names.flatMap(spellings).map(asPattern).join('|')})${after}`, 'gi')
}

/** The name in ASCII, in Unicode, and in Unicode as JSON escapes it. */
function spellings(name: string): string[] {
  const letters = inUnicode(name)
  if (letters === null) return [name]
  const escaped = letters.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [name, Buffer.from(letters).toString('latin1'), escaped]
}

const asPattern = (name: string) =>
  name.replace(/[.\\]/g, String.raw`\$&`).replace(/^\*\\\./, String.raw`(?:[a-z0-9_-]{1,63}\.){1,4}`)

/**
 * Replaces URLs and names of the preview by the website's own in requests of a browser: plain, as JSON escapes them,
 * and percent-encoded. The website thus never stores addresses of the preview.
 */
export function fromPreview({ names, https, suffix }: Previewed): (text: string) => string {
  const [, port] = suffix.split(':')
  const colon = '(?::|%(?:25)*3a)'
  const slash = String.raw`(?:(?:\\|%(?:25)*5c){0,8}(?:\/|%(?:25)*2f))`
  const url = `(?:(http|ws)s?(${colon}${slash}{2}))?`
  const name = `(${names.map(asPattern).join('|')})`
  const start = '(?:(?<![a-z0-9._%-])|(?<=%[0-9a-f]{2}))'
  const end = `${port ? `(?:${colon}${port}(?!\\d))?` : ''}(?![a-z0-9_-]|\\.[a-z0-9])`
  const pattern = new RegExp(`${start}${url}${name}\\.localhost${end}`, 'gi')
  return (text) =>
    text.replace(pattern, (_, scheme: string | undefined, between: string | undefined, own: string) =>
      scheme ? `${scheme}${https ? 's' : ''}${between}${own}` : own,
    )
}

/**
 * The checksum of a script or style in a page. It is removed, because the text differs in the preview and browsers
 * would refuse it.
 */
const integrity =
  /\sintegrity\s*=\s*(?:"\s*sha(?:256|384|512)-[^"<>]{0,500}"|'\s*sha(?:256|384|512)-[^'<>]{0,500}'|sha(?:256|384|512)-[^\s"'<>]{0,500})/gi

/** `toPreview` for a streamed body. Holds back only bytes that may be the beginning of a URL. */
export function previewStream(previewed: Previewed, { isPage = false } = {}): Transform {
  const urls = toPreview(previewed)
  const rewrite = (text: string, before: string) => {
    const shown = urls(text, before)
    return isPage ? shown.replace(integrity, '') : shown
  }
  const patterns = [ownUrls(previewed.names), ...(isPage ? [new RegExp(integrity)] : [])]
  let held = ''
  let before = ''
  /** Position at which the text can be cut: after a match that reaches over the preferred position. */
  const cut = (): number => {
    let place = Math.max(0, held.length - LONGEST)
    for (const pattern of patterns) {
      pattern.lastIndex = Math.max(0, place - LONGEST)
      for (let found = pattern.exec(held); found && found.index < place; found = pattern.exec(held))
        if (pattern.lastIndex > place) place = pattern.lastIndex
    }
    return place
  }
  const take = (end: number): Buffer => {
    const part = held.slice(0, end)
    held = held.slice(end)
    const written = rewrite(part, before)
    before = part.at(-1) ?? before
    return Buffer.from(written, 'latin1')
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      held += chunk.toString('latin1')
      const end = cut()
      done(null, end > 0 ? take(end) : undefined)
    },
    flush: (done) => done(null, take(held.length)),
  })
}
