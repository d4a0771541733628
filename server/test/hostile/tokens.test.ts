import { createHmac, createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, TOKEN_KEY } from '../app.ts'
import { addressOf, guarded } from './calls.ts'

const signedOut = 'Sign in first'
const unknown = "No credentials found for given 'iss'"
const expired = 'token expired'
const path = addressOf(
  guarded.find(({ endpoint }) => endpoint.effect === 'read' && endpoint.access === 'signedIn')!.endpoint.path,
)

const b64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const now = Math.floor(Date.now() / 1000)
const mac = (text: string, key: string | Buffer = TOKEN_KEY, hash = 'sha256') =>
  createHmac(hash, key).update(text).digest('base64url')
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const rs256 = (text: string) =>
  createSign('RSA-SHA256')
    .update(text)
    .sign(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()))
    .toString('base64url')

let t: TestApp
let good: string
let claims: Record<string, unknown>
beforeAll(async () => {
  t = await openTestApp()
  good = (await t.somebody('admin')).token
  claims = JSON.parse(Buffer.from(good.split('.')[1]!, 'base64url').toString()) as Record<string, unknown> // our own payload
})
afterAll(() => t.close())

const signed = (header: unknown, payload: unknown, key: string | Buffer = TOKEN_KEY, hash = 'sha256') => {
  const text = `${b64(header)}.${b64(payload)}`
  return `${text}.${mac(text, key, hash)}`
}
const hs = { alg: 'HS256', typ: 'JWT' }
const parts = () => good.split('.') as [string, string, string] // a JWT has three
const claimed = (more: Record<string, unknown>) => signed(hs, { ...claims, ...more })
const without = (key: string) => signed(hs, Object.fromEntries(Object.entries(claims).filter(([name]) => name !== key)))
const bearer = (text: string) => `Bearer ${text}`

/** The Authorization header and the error message by name of the attack. Built lazily, because they need a session. */
const attacks: [string, () => string, string][] = [
  // --- no signature, or a foreign one
  ...['none', 'None', 'NONE', 'nOnE', 'none ', '', 'null'].flatMap((alg): typeof attacks => [
    [
      `alg ${JSON.stringify(alg)} without a signature`,
      () => bearer(`${b64({ alg, typ: 'JWT' })}.${parts()[1]}.`),
      unknown,
    ],
    [
      `alg ${JSON.stringify(alg)} with the old signature`,
      () => bearer(`${b64({ alg, typ: 'JWT' })}.${parts()[1]}.${parts()[2]}`),
      unknown,
    ],
  ]),
  ['no alg', () => bearer(signed({ typ: 'JWT' }, claims)), unknown],
  ['alg null', () => bearer(signed({ alg: null }, claims)), unknown],
  ['alg as a list', () => bearer(signed({ alg: ['HS256', 'none'] }, claims)), unknown],
  ['alg in small letters', () => bearer(signed({ alg: 'hs256' }, claims)), unknown],
  ['HS384 with our key', () => bearer(signed({ alg: 'HS384' }, claims, TOKEN_KEY, 'sha384')), unknown],
  ['HS512 with our key', () => bearer(signed({ alg: 'HS512' }, claims, TOKEN_KEY, 'sha512')), unknown],
  [
    'RS256 with a key of its own',
    () => bearer(((text) => `${text}.${rs256(text)}`)(`${b64({ alg: 'RS256' })}.${b64(claims)}`)),
    unknown,
  ],
  ['HS256 under a public key', () => bearer(signed(hs, claims, pem)), unknown],
  ['RS256 said, HMAC under a public key', () => bearer(signed({ alg: 'RS256' }, claims, pem)), unknown],
  [
    'ES256 with the psychic signature',
    () => bearer(`${b64({ alg: 'ES256' })}.${b64(claims)}.${Buffer.alloc(64).toString('base64url')}`),
    unknown,
  ],
  [
    'EdDSA with zeros',
    () => bearer(`${b64({ alg: 'EdDSA' })}.${b64(claims)}.${Buffer.alloc(64).toString('base64url')}`),
    unknown,
  ],
  ['PS256 with the RSA signature', () => bearer(`${b64({ alg: 'PS256' })}.${b64(claims)}.${rs256('x')}`), unknown],
  ['the empty key', () => bearer(signed(hs, claims, '')), unknown],
  ['the key “secret”', () => bearer(signed(hs, claims, 'secret')), unknown],
  ['the key with a space behind it', () => bearer(signed(hs, claims, `${TOKEN_KEY} `)), unknown],
  // --- keys inside the token
  ['kid of a file', () => bearer(signed({ ...hs, kid: '../../../../dev/null' }, claims, '')), unknown],
  ['kid with SQL', () => bearer(signed({ ...hs, kid: "' union select 'x' --" }, claims, 'x')), unknown],
  ['kid as an object', () => bearer(signed({ ...hs, kid: { toString: 1 } }, claims, 'x')), unknown],
  ['jku', () => bearer(signed({ ...hs, jku: 'http://127.0.0.1:1/keys.json' }, claims, 'x')), unknown],
  ['x5u', () => bearer(signed({ ...hs, x5u: 'http://127.0.0.1:1/cert.pem' }, claims, 'x')), unknown],
  ['jwk with its own secret', () => bearer(signed({ ...hs, jwk: { kty: 'oct', k: b64('x') } }, claims, 'x')), unknown],
  [
    'jwk with its own RSA key',
    () =>
      bearer(
        ((text) => `${text}.${rs256(text)}`)(
          `${b64({ alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) })}.${b64(claims)}`,
        ),
      ),
    unknown,
  ],
  ['x5c', () => bearer(signed({ ...hs, x5c: [pem] }, claims, 'x')), unknown],
  ['crit that nobody knows', () => bearer(signed({ ...hs, crit: ['odd'], odd: true }, claims)), unknown],
  ['crit b64', () => bearer(signed({ ...hs, crit: ['b64'], b64: false }, claims)), unknown],
  [
    'a prototype in the header',
    () => bearer(`${b64('{"alg":"none","__proto__":{"alg":"HS256"}}')}.${parts()[1]}.`),
    unknown,
  ],
  // --- the valid token, modified
  ['truncated by one letter', () => bearer(good.slice(0, -1)), unknown],
  ['without its signature', () => bearer(good.replace(/[^.]*$/, '')), unknown],
  ['without its last dot', () => bearer(good.replace(/\.[^.]*$/, '')), unknown],
  ['half of it', () => bearer(good.slice(0, good.length / 2)), unknown],
  ['padded with =', () => bearer(`${good}=`), unknown],
  ['padded with ==', () => bearer(`${good}==`), unknown],
  ['padded in the middle', () => bearer(parts().join('=.')), unknown],
  ['with unused bits of the signature turned', () => bearer(turned(good)), unknown],
  [
    'in the other base64',
    () => bearer(`${parts()[0]}.${parts()[1]}.${Buffer.from(parts()[2], 'base64url').toString('base64')}`),
    unknown,
  ],
  ['with a letter more', () => bearer(`${good}A`), unknown],
  ['with a dot more', () => bearer(`${good}.`), unknown],
  ['as five parts, encrypted as it were', () => bearer(`${good}.x.y`), unknown],
  ['twice', () => bearer(good + good), unknown],
  ['in capitals', () => bearer(good.toUpperCase()), unknown],
  [
    'signature from another payload',
    () => bearer(`${parts()[0]}.${b64({ ...claims, sub: '999999' })}.${parts()[2]}`),
    unknown,
  ],
  [
    'header swapped, signature kept',
    () => bearer(`${b64({ typ: 'JWT', alg: 'HS256' })}.${parts()[1]}.${parts()[2]}`),
    unknown,
  ],
  ['in quotes', () => bearer(`"${good}"`), unknown],
  ['URL-encoded', () => bearer(good.replaceAll('.', '%2e')), unknown],
  ['of dots', () => bearer('..'), unknown],
  ['not JSON inside', () => bearer(signed('{', 'x')), unknown],
  ['null inside', () => bearer(signed(hs, null)), unknown],
  ['a list inside', () => bearer(signed(hs, [claims])), unknown],
  [
    'bytes that are no text inside',
    () => bearer(`${parts()[0]}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.x`),
    unknown,
  ],
  ['100 kB long', () => bearer('A'.repeat(100_000)), unknown],
  ['100 kB of payload', () => bearer(signed(hs, { ...claims, pad: 'x'.repeat(100_000) }, 'x')), unknown],
  ['deep inside', () => bearer(signed(hs, `${'['.repeat(20_000)}${']'.repeat(20_000)}`)), unknown],
  // --- correctly signed with wrong claims
  ['another issuer', () => bearer(claimed({ iss: 'https://elsewhere.example' })), unknown],
  ['the issuer in other case', () => bearer(claimed({ iss: swapCase(String(claims.iss)) })), unknown],
  ['the issuer as a list', () => bearer(claimed({ iss: [claims.iss, 'x'] })), unknown],
  ['the issuer as a number', () => bearer(claimed({ iss: 1 })), unknown],
  ['the issuer as an object', () => bearer(claimed({ iss: { raw: 'x' } })), unknown],
  ['SQL for an issuer', () => bearer(claimed({ iss: "' or '1'='1" })), unknown],
  ['NUL in the issuer', () => bearer(claimed({ iss: 'a\0b' })), unknown],
  ['% for an issuer', () => bearer(claimed({ iss: '%' })), unknown],
  ['no issuer', () => bearer(without('iss')), unknown],
  ['no subject', () => bearer(without('sub')), unknown],
  ['somebody else’s subject', () => bearer(claimed({ sub: '999999' })), unknown],
  ['no end', () => bearer(without('exp')), unknown],
  ['an end as text', () => bearer(claimed({ exp: '9999999999' })), unknown],
  ['ended a second ago', () => bearer(claimed({ exp: now - 1 })), expired],
  ['ended in 1970', () => bearer(claimed({ exp: 0 })), expired],
  ['ended before time', () => bearer(claimed({ exp: -1 })), expired],
  ['not yet good', () => bearer(claimed({ nbf: now + 3600 })), unknown],
  ['not yet good, as text', () => bearer(claimed({ nbf: 'x' })), unknown],
  // --- position and syntax
  ['nothing behind Bearer', () => 'Bearer', signedOut],
  ['blanks behind Bearer', () => 'Bearer   ', signedOut],
  ['the token alone', () => good, signedOut],
  ['Bearer twice', () => `Bearer Bearer ${good}`, signedOut],
  ['two tokens', () => `Bearer ${good} ${good}`, signedOut],
  ['two headers in one', () => `Bearer x, Bearer ${good}`, signedOut],
  ['a comma behind it', () => bearer(`${good},`), unknown],
  ['two blanks', () => `Bearer  ${good}`, signedOut],
  ['a tab', () => `Bearer\t${good}`, signedOut],
  ['no blank', () => `Bearer${good}`, signedOut],
  ['Basic', () => `Basic ${good}`, signedOut],
  ['Basic of the token', () => `Basic ${Buffer.from(`x:${good}`).toString('base64')}`, signedOut],
  ['JWT for a scheme', () => `JWT ${good}`, signedOut],
  ['Token for a scheme', () => `Token ${good}`, signedOut],
]

/** Changes the unused two bits in the last base64 letter of 32 bytes: the bytes stay the same. */
function turned(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + letters[letters.indexOf(token.at(-1)!) ^ 1]
}
const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))

async function ask(authorization: string | undefined, url = path, more: Record<string, string> = {}) {
  const headers = { ...(authorization !== undefined && { authorization }), ...more }
  const { statusCode, body } = await t.http.inject({ url, headers })
  return { status: statusCode, body: JSON.parse(body) as unknown }
}

describe('a token', () => {
  it('is accepted if valid; each attack below differs from a valid token in one detail', async () => {
    expect((await ask(bearer(good))).status).toBe(200)
    expect((await ask(bearer(claimed({})))).status).toBe(200)
    expect(attacks.length).toBeGreaterThanOrEqual(60)
  })
  it.each(attacks)('is refused: %s', async (_, header, message) => {
    expect(await ask(header())).toMatchObject({ status: 401, body: { message } })
    // the cache of a refused token must not admit the second request
    expect((await ask(header())).status).toBe(401)
  })
  it.each([
    'jwt',
    'token',
    'access_token',
    'authorization',
    'Authorization',
    'bearer',
  ])('is ignored in the query as %s', async (name) => {
    expect(await ask(undefined, `${path}?${name}=${good}`)).toMatchObject({ status: 401, body: { message: signedOut } })
  })
  it.each([
    'cookie',
    'x-access-token',
    'x-authorization',
    'proxy-authorization',
    'x-forwarded-authorization',
  ])('is ignored in the header %s', async (name) => {
    const value = name === 'cookie' ? `jwt=${good}; token=${good}` : bearer(good)
    expect((await ask(undefined, path, { [name]: value })).status).toBe(401)
  })
})

describe('a session', () => {
  const read = (token: string) => ask(bearer(token))
  it('that expired in the database is refused, even if its token is valid for longer', async () => {
    const { token, id } = await t.somebody([])
    await t.app.db.execute(sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${id}`)
    expect(await read(token)).toMatchObject({ status: 401, body: { message: expired } })
  })
  it('of a deleted person is refused', async () => {
    const { token, id } = await t.somebody([])
    await t.app.db.execute(sql`update users set deleted_at = now() where user_id = ${id}`)
    expect(await read(token)).toMatchObject({ status: 401, body: { message: unknown } })
  })
  it('that ends during its lookup is not cached as valid', async () => {
    for (let n = 0; n < 20; n++) {
      const { token, id } = await t.somebody([])
      const asked = Array.from({ length: 4 }, () => read(token))
      await t.app.db.transaction((tx) => t.app.sessions.endAll(tx, id))
      await Promise.all(asked)
      await expect.poll(async () => (await read(token)).status, { timeout: 15_000, interval: 5 }).toBe(401)
    }
  })
})
