import { contract } from '@innkeeper/contract/index'
import { type Endpoint, pathKey, statusOf } from '@innkeeper/contract/kit/endpoint'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionLogs } from './kit/audit/tables.ts'
import { openTestApp, type TestApp } from './test/app.ts'

/** Every call, walked from outside: nothing is open that its contract does not open. */
const calls = Object.entries(contract).flatMap(([domain, entries]) =>
  Object.entries(entries).map(([name, endpoint]) => ({ name: `${domain}.${name}`, endpoint: endpoint as Endpoint })),
)
const urlOf = ({ path }: Endpoint) => `/api${path.replace(/:type\b/, 'web').replace(pathKey, '999999')}`

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const guarded = calls.filter(({ endpoint }) => endpoint.access !== 'public')
const scoped = guarded.filter(({ endpoint }) => endpoint.access !== 'signedIn')

const ask = (endpoint: Endpoint, token?: string) =>
  t.call(endpoint.method, urlOf(endpoint), { ...(token && { token }), ...(endpoint.method !== 'GET' && { body: {} }) })

describe('every call', () => {
  it.each(guarded)('$name answers 401 without a token', async ({ endpoint }) => {
    expect((await ask(endpoint)).status).toBe(401)
    expect(await ask(endpoint, 'nonsense')).toMatchObject({
      status: 401,
      body: { message: "No credentials found for given 'iss'" },
    })
  })
  it.each(scoped)('$name answers 403 to staff without permissions, and names the missing ones', async ({
    endpoint,
  }) => {
    const { token } = await t.somebody([])
    const { status, body } = await ask(endpoint, token)
    expect(status).toBe(403)
    expect(body.scopes).toEqual([endpoint.access].flat())
  })
  it.each(guarded)('$name accepts staff with exactly its scope', async ({ endpoint }) => {
    const scopes = endpoint.access === 'signedIn' ? [] : [endpoint.access].flat()
    const { token } = await t.somebody(scopes)
    const { status, body } = await ask(endpoint, token)
    expect([401, 403], JSON.stringify(body)).not.toContain(status)
    expect(status, JSON.stringify(body)).toBeLessThan(500)
  })
})

describe('the API', () => {
  it('is described in OpenAPI, each call once', async () => {
    const { body } = await t.call('GET', '/api/openapi.json')
    expect(body.openapi).toMatch(/^3\.1/)
    // paths that differ by the names of parameters are one path in OpenAPI
    const shapes = new Map(Object.keys(body.paths).map((path) => [path.replace(/\{\w+\}/g, '{}'), path]))
    expect(shapes.size).toBe(Object.keys(body.paths).length)
    for (const { endpoint } of calls) {
      const operation =
        body.paths[shapes.get(endpoint.path.replace(pathKey, '{}')) ?? '']?.[endpoint.method.toLowerCase()]
      expect(operation, endpoint.path).toBeDefined()
      const fixed = statusOf(endpoint)
      if (fixed) expect(operation.responses[fixed], endpoint.path).toBeDefined()
    }
  })
  it('answers an unknown call with a message', async () => {
    expect(await t.call('GET', '/api/no/such/call')).toMatchObject({ status: 404, body: { code: 'not-found' } })
  })
  it('logs denied calls with the missing permission', async () => {
    const { token } = await t.somebody([], 'curious')
    await t.call('DELETE', '/api/websites/1', { token })
    const rows = await t.app.db.select().from(actionLogs).where(eq(actionLogs.staffName, 'Some curious'))
    expect(rows).toMatchObject([{ service: 'website', resource: 'website', action: 'delete', result: 'denied' }])
  })
  it('refuses a body that differs from its path, and one that is not an object', async () => {
    const { token } = await t.somebody('admin')
    const differs = await t.call('PATCH', '/api/websites/5', { token, body: { id: 6, status: 'active' } })
    expect(differs).toMatchObject({ status: 400, body: { fields: { id: 'differs from the 5 of the path' } } })
    expect((await t.call('PATCH', '/api/websites/5', { token, raw: '[1]' })).status).toBe(400)
    expect((await t.call('PATCH', '/api/websites/5', { token, raw: '{"__proto__":{}}' })).status).toBe(400)
    expect((await t.call('PATCH', '/api/websites/5', { token, raw: '{' })).status).toBe(400)
  })
  it('accepts a JSON content type without a body', async () => {
    const { token } = await t.somebody('admin')
    expect((await t.call('PATCH', '/api/websites/5/retry', { token, raw: '' })).status).toBe(404)
  })
  it('sends its headers with every answer', async () => {
    const answer = await t.http.inject('/healthz')
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })
})
