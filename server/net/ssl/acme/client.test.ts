import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selfSigned } from '../certificates/generate.ts'
import { ariIdOf } from '../orders/renewalTime.ts'
import { chainFor } from '../test/chain.ts'
import { Acme, thumbprintOf } from './client.ts'
import { AcmeAway, AcmeProblem } from './problem.ts'

const accountKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
/** Answers of the test authority by path; `gone` closes the connection without an answer. */
let answer: (path: string) => Said | 'gone'
interface Said {
  status?: number
  headers?: Record<string, string>
  /** False omits the nonce, as the real authority does when it answers a request for its directory. */
  nonce?: false
  body: unknown
}
let server: Server
let directory: string
let ca: string
const asked: string[] = []
const limited = {
  status: 429,
  headers: { 'retry-after': '3600' },
  body: { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates for shop.example' },
}

beforeAll(async () => {
  const { key, pem } = await selfSigned(['localhost'])
  ca = pem
  server = createServer({ key, cert: pem }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const said = answer(request.url ?? '')
    if (said === 'gone') return void request.socket.destroy()
    const { status = 200, headers = {}, nonce = true, body } = said
    const replay = nonce && { 'replay-nonce': `n${asked.length}` }
    response.writeHead(status, { ...replay, 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number } // the server listens on a TCP port
  directory = `https://localhost:${port}/dir`
})
afterAll(() => void server.close())

const at = (path: string) => new URL(path, directory).href
const urls = () => ({
  newNonce: at('/nonce'),
  newAccount: at('/account'),
  newOrder: at('/order'),
  renewalInfo: at('/ari'),
})
const serve = (paths: Record<string, Said>) => {
  answer = (path) => paths[path] ?? { body: urls() }
}
const open = () => new Acme({ directory, accountKey, ca, accountUrl: at('/account/1') })

it('reports a rate limit at once with its end, without waiting', async () => {
  serve({ '/order': limited })
  const before = asked.length
  const refused = await open()
    .newOrder(['shop.example'])
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(AcmeProblem)
  expect((refused as AcmeProblem).message).toMatch(
    /^localhost:\d+ has reached a rate limit: too many certificates for shop\.example\. It may be asked again \d{4}-/,
  )
  expect(asked.slice(before).filter((one) => one.endsWith('/order'))).toEqual(['POST /order'])
})

it('reports a rate limit before an order, recognised by its status only', async () => {
  const dir: Said = { nonce: false, body: urls() }
  serve({ '/dir': dir, '/nonce': { ...limited, nonce: false } })
  await expect(open().newOrder(['shop.example'])).rejects.toThrow(
    /^localhost:\d+ has reached a rate limit: HTTP 429\. It may be asked again \d{4}-/,
  )
  serve({ '/dir': dir, '/nonce': { status: 503, headers: { 'retry-after': '120' }, nonce: false, body: '' } })
  await expect(open().newOrder(['shop.example'])).rejects.toThrow(/has a fault of its own: HTTP 503\. It may be asked/)
})

it('does not claim that nothing was ordered when the connection breaks during an order', async () => {
  const order = { status: 'pending', authorizations: [at('/authorization')], finalize: at('/finalize') }
  serve({ '/order': { status: 201, headers: { location: at('/order/1') }, body: order } })
  const acme = open()
  const { authorizations } = await acme.newOrder(['shop.example'])
  answer = () => 'gone'
  await expect(acme.authorization(authorizations[0] ?? '')).rejects.toThrow(
    /does not answer: the connection broke off\. Its order stays unfinished, and the present certificate stays in use$/,
  )
  await expect(open().newOrder(['shop.example'])).rejects.toThrow(/the connection broke off\. Nothing was ordered$/)
})

it('names the refused domains', async () => {
  const subproblems = [
    {
      type: 'urn:ietf:params:acme:error:caa',
      detail: 'CAA forbids it',
      identifier: { type: 'dns', value: 'b.example' },
    },
  ]
  serve({
    '/order': {
      status: 403,
      body: { type: 'urn:ietf:params:acme:error:rejectedIdentifier', detail: 'no', subproblems },
    },
  })
  const refused = await open()
    .newOrder(['a.example', 'b.example'])
    .catch((error: unknown) => error)
  expect((refused as AcmeProblem).names).toEqual([{ name: 'b.example', reason: 'CAA forbids it' }])
})

it('explains a page that is no directory, a server error and an untrusted certificate', async () => {
  serve({ '/dir': { body: '<html>' } })
  await expect(open().directory()).rejects.toThrow('what it answers is no ACME directory')
  serve({ '/dir': { status: 503, body: 'down for maintenance' } })
  await expect(open().directory()).rejects.toThrow('has a fault of its own: HTTP 503')
  const away = await new Acme({ directory, accountKey }).directory().catch((error: unknown) => error)
  expect(away).toBeInstanceOf(AcmeAway)
  expect((away as AcmeAway).message).toContain('its own certificate is not trusted')
})

it('requests the renewal window by issuer key and serial; a missing window is no error', async () => {
  const suggestedWindow = { start: '2027-01-02T04:00:00Z', end: '2027-01-03T04:00:00Z' }
  // the example of RFC 9773, section 4.1
  const id = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'
  serve({ [`/ari/${id}`]: { body: { suggestedWindow } }, '/ari/unknown': { status: 404, body: {} } })
  expect(await open().renewalWindow(id)).toEqual(suggestedWindow)
  expect(await open().renewalWindow('unknown')).toBeUndefined()
  expect(ariIdOf((await chainFor(['shop.example'])).leaf.pem)).toBeUndefined() // has no key id of its issuer
  expect(ariIdOf(RFC)).toBe(id)
})

it('computes a thumbprint from the public key only, always the same', () => {
  expect(thumbprintOf(accountKey)).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(thumbprintOf(accountKey)).toBe(thumbprintOf(accountKey))
})

/** The certificate of RFC 9773, appendix A. */
const RFC = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`
