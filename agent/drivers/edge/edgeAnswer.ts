import { nginx, packedTypes } from '../nginx/nginx.ts'

/** How the front of an edge changes every answer: compression, `Age`, one `Vary`. */
export const answerFile = `${nginx.folder}/edge-answer.conf`
export const scriptFile = `${nginx.folder}/edge-answer.js`

export const answerText = (has: { brotli: boolean }) => `# Written by Innkeeper. Changes are overwritten.
gunzip on;
${
  has.brotli
    ? `brotli on;
brotli_comp_level 4;
brotli_min_length 1000;
brotli_types ${packedTypes};
`
    : ''
}gzip_vary off;
js_header_filter innkeeper.head;
`

/**
 * The script that rewrites two headers and finds two reasons not to keep a page. `Age`: seconds since the origin made
 * the page, computed from the `Date` of the origin, which visitors get too. `Vary`: all `Vary` lines of the origin in
 * one line, with the encoding.
 */
export const script = `// Written by Innkeeper. Changes are overwritten.
const kept = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED']
const packed = /^(?:text\\/|application\\/(?:javascript|json|ld\\+json|manifest\\+json|xml|atom\\+xml|rss\\+xml|wasm)|image\\/svg)/

const list = (value) => String(value || '').split(',').map((one) => one.trim()).filter((one) => one)
const vary = (r) => {
  const found = []
  list(r.headersOut.Vary).forEach((one) => {
    if (!found.some((other) => other.toLowerCase() === one.toLowerCase())) found.push(one)
  })
  return found
}

function head(r) {
  const headers = r.headersOut
  const names = vary(r)
  if (packed.test(headers['Content-Type'] || '') && !names.some((name) => name === '*' || name.toLowerCase() === 'accept-encoding'))
    names.push('Accept-Encoding')
  if (names.length) headers.Vary = names.join(', ')
  else delete headers.Vary
  if (kept.includes(headers['X-Cache-Status'])) {
    const since = Math.floor((Date.now() - Date.parse(headers.Date)) / 1000)
    const before = Number(headers.Age) || 0
    headers.Age = String(Math.max(since || 0, before, 0))
  }
}

const said = (r, name) => r.rawHeadersOut.filter((pair) => pair[0].toLowerCase() === name).map((pair) => pair[1].trim().toLowerCase())
/**
 * 1: no copy fits the next request. The origin varies by several header lines, of which nginx would regard only the last, or by
 * '*' in a list, which nginx knows only alone; or it says to shared caches by a field of their own (RFC 9213) to keep nothing; or
 * it says so by Pragma alone, which has no meaning in answers (RFC 9111), but which authors of old pages rely on. Or the answer
 * may never end: a stream of events or of pictures.
 */
const varies = (r) => {
  if (/^(?:text\\/event-stream|multipart\\/x-mixed-replace)/i.test(r.headersOut['Content-Type'] || '')) return '1'
  const lines = said(r, 'vary')
  if (lines.filter((line) => line !== 'accept-encoding').length > 1) return '1'
  if (lines.some((line) => list(line).includes('*'))) return '1'
  if (said(r, 'pragma').join().includes('no-cache') && !said(r, 'cache-control').length) return '1'
  const shared = said(r, 'cdn-cache-control').concat(said(r, 'surrogate-control')).join()
  return /no-store|no-cache|private|max-age=0/.test(shared) ? '1' : ''
}

/** Headers that browsers send of their own accord, that edges set, or that have rules of their own, as cookies do. */
const usual = /^(?:host|connection|keep-alive|proxy-connection|te|via|user-agent|from|referer|origin|range|cache-control|pragma|priority|dnt|accept(?:-(?:language|charset|encoding))?|if-(?:range|match|none-match|modified-since|unmodified-since)|(?:x-)?purpose|x-moz|save-data|device-memory|dpr|(?:viewport-)?width|downlink|ect|rtt|service-worker(?:-navigation-preload)?|available-dictionary|upgrade-insecure-requests|http2-settings|last-event-id|sec-.*|x-forwarded-(?:for|proto)|x-real-ip|cookie|authorization|upgrade|expect|content-length|transfer-encoding)$/
/** Android's browsers send the name of their program. */
const android = (name, value) => name === 'x-requested-with' && /^[a-z]\\w*(?:\\.\\w+)+$/i.test(value)
/**
 * 1: the request has another header, which may name a person, a key, a part of the page, or another address. The website may
 * answer by the header without saying so in Vary.
 */
const personal = (r) =>
  r.rawHeadersIn.some((pair) => {
    const name = pair[0].toLowerCase()
    return pair[1] !== '' && !usual.test(name) && !android(name, pair[1])
  }) ? '1' : ''

export default { head, varies, personal }
`
