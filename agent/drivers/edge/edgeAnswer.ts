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
 * it says so by Pragma alone, which has no meaning in answers (RFC 9111), but which authors of old pages rely on.
 */
const varies = (r) => {
  const lines = said(r, 'vary')
  if (lines.filter((line) => line !== 'accept-encoding').length > 1) return '1'
  if (lines.some((line) => list(line).includes('*'))) return '1'
  if (said(r, 'pragma').join().includes('no-cache') && !said(r, 'cache-control').length) return '1'
  const shared = said(r, 'cdn-cache-control').concat(said(r, 'surrogate-control')).join()
  return /no-store|no-cache|private|max-age=0/.test(shared) ? '1' : ''
}

const secret = /auth|token|key|secret|passw|credential|signature|session|sid$|jwt|nonce|[cx]srf|dpop|cert|user|login|account|identity|impersonat|tenant|client-id|client-dn|customer|member|visitor|guest|employee|email|device-id|profile|role|cookie2/
/** Scripts ask for a part of a page by the address of the page. Android's browsers send their own name in X-Requested-With. */
const part = (name, value) => (name === 'x-requested-with' ? value === 'XMLHttpRequest' : /^(?:hx-|turbo-frame)|pjax|inertia/.test(name))
/** 1: a header of the request is named like a key or like the person who asks, or asks for a part. Cookies have rules of their own. */
const personal = (r) =>
  r.rawHeadersIn.some((pair) => {
    const name = pair[0].toLowerCase()
    return (secret.test(name) || part(name, pair[1])) && pair[1] !== '' && name !== 'authorization' && name !== 'user-agent' && !name.startsWith('sec-')
  }) ? '1' : ''

export default { head, varies, personal }
`
