import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled } from '../../../test/work.ts'
import { sitesOf } from '../test/sites.ts'
import { vhosts } from './tables.ts'

let t: TestApp
let web: number
let cdn: number
let s: ReturnType<typeof sitesOf>
beforeAll(async () => {
  t = await openTestApp()
  const admin = await t.somebody('admin')
  const provisionedAt = new Date().toISOString()
  web = await enrolled(t.app.db, 'web-1', { provisionedAt, address: '10.77.1.11' })
  cdn = await enrolled(t.app.db, 'cdn-1', { provisionedAt, address: '10.77.1.21', type: 'cdn' })
  s = sitesOf(t, admin.token, () => [web, cdn])
})
afterAll(() => t.close())

const path = '/vhost-management/vhost'
async function behind(domain: string): Promise<{ id: number; websiteId: number }> {
  const websiteId = await s.site(domain, web)
  const { body } = await s.call('POST', path, { websiteId })
  await s.carryOut()
  return { id: body.data.id, websiteId }
}
const one = async (id: number) => (await s.call('GET', `${path}/${id}`)).body
const change = (id: number, rules: object) => s.call('PATCH', `${path}/${id}/rules`, { rules })
async function changed(id: number, rules: object) {
  const { status, body } = await change(id, rules)
  expect([status, body.fields]).toEqual([202, undefined])
  const input = await s.inputOf(body.workflowId, 'edge-site.ensure')
  await s.carryOut()
  return input as { rules: Record<string, unknown>; passwords?: { $secret: string } }
}

describe('Rules of edges', () => {
  it('apply when their workflow ends, and leave other rules unchanged', async () => {
    const { id } = await behind('ruled.example')
    const redirects = [{ from: '/old', to: '/new', status: 301 }]
    const begun = await change(id, { redirects })
    expect((await one(id)).rules.redirects).toEqual([])
    expect(await s.stepsOf(begun.body.workflowId)).toEqual(['edge-site.ensure', 'edge-cache.clear', 'vhost.edge-probe'])
    await s.carryOut()
    const headers = [{ name: 'X-Frame-Options', value: 'DENY' }]
    expect(await changed(id, { headers })).toMatchObject({ rules: { redirects, headers } })
    await s.call('PATCH', `${path}/${id}/cdn`, { minutes: 5, rules: { cookies: ['_ga'] } })
    await s.carryOut()
    expect((await one(id)).rules).toMatchObject({ redirects, headers, cookies: ['_ga'] })
    // the call that turns caching on cannot change other rules
    const over = await s.call('PATCH', `${path}/${id}/cdn`, { rules: { redirects: [] } })
    if (over.status === 202) await s.carryOut()
    expect((await one(id)).rules.redirects).toEqual(redirects)
  })

  it('have passwords as hashes in a secret, which no call answers', async () => {
    const { id } = await behind('locked.example')
    expect((await change(id, { locked: true })).body.fields['rules.users']).toMatch(/nobody gets in/)
    expect((await change(id, { users: [{ name: 'kari' }] })).body.fields['rules.users.0']).toBe('kari needs a password')
    const users = [{ name: 'kari', password: 'open sesame' }]
    const first = await changed(id, { locked: true, users })
    const kept = (await t.app.secrets.read(t.app.db, first.passwords?.$secret ?? '')) ?? ''
    expect(kept).toMatch(/^kari:\$6\$[./A-Za-z0-9]{16}\$[./A-Za-z0-9]{86}\n$/)
    expect((await one(id)).rules).toMatchObject({ locked: true, users: ['kari'] })
    expect(JSON.stringify(await one(id))).not.toContain('vhost:')
    // a name without a password keeps the present password
    const more = await changed(id, { users: [{ name: 'kari' }, { name: 'ola', password: 'another one' }] })
    const both = (await t.app.secrets.read(t.app.db, more.passwords?.$secret ?? '')) ?? ''
    expect([both.split('\n').length, both.startsWith(kept)]).toEqual([3, true])
    expect((await change(id, { users: [] })).status).toBe(400)
    expect(await changed(id, { users: [], locked: false })).not.toHaveProperty('passwords')
  })

  it('refuse values with a special meaning for nginx, beside the field', async () => {
    const { id } = await behind('hostile.example')
    const rule = { minutes: null, locked: false, allow: [] }
    for (const [rules, field] of [
      ...['/', 'admin', '/a b', '/a;', '/../x', '/a//b', '/.well-known/x', '/a"', '/a$b', '/a{'].map((bad) => [
        { paths: [{ ...rule, path: bad }] },
        'rules.paths.0.path',
      ]),
      [
        {
          paths: [
            { ...rule, path: '/a/' },
            { ...rule, path: '/a/' },
          ],
        },
        'rules.paths.1',
      ],
      [{ paths: [{ ...rule, path: '/a/', allow: ['192.0.2.300'] }] }, 'rules.paths.0.allow.0'],
      ...['//evil.example/', 'javascript:x', '/a$b', '/a"', '/a b', '/a\\', 'http://', '/a\n'].flatMap((to) =>
        to.trim() === to ? [[{ redirects: [{ from: '/x', to, status: 301 }] }, 'rules.redirects.0.to']] : [],
      ),
      [{ redirects: [{ from: '/x/*', to: '/x/y/*', status: 301 }] }, 'rules.redirects.0.to'],
      [{ redirects: [{ from: '/x', to: '/x?again', status: 301 }] }, 'rules.redirects.0.to'],
      [{ headers: [{ name: 'Set-Cookie', value: 'a' }] }, 'rules.headers.0.name'],
      [{ headers: [{ name: 'X-A', value: 'a\r\nX-B: c' }] }, 'rules.headers.0.value'],
      [{ headers: [{ name: 'X-A', value: '$http_cookie' }] }, 'rules.headers.0.value'],
      [{ errors: [{ status: 200, html: 'x' }] }, 'rules.errors.0.status'],
      [{ users: [{ name: 'a:b', password: 'long enough' }] }, 'rules.users.0.name'],
      [{ users: [{ name: 'kari', password: 'short' }] }, 'rules.users.0.password'],
      [{ fetch: 'https' }, 'rules.fetch'],
    ] as [object, string][]) {
      const { status, body } = await change(id, rules)
      expect([rules, status >= 400 && status < 500, Object.keys(body.fields ?? {})]).toEqual([rules, true, [field]])
    }
  })

  it('do not apply their error pages while the website is suspended', async () => {
    const { id, websiteId } = await behind('paused.example')
    const errors = [{ status: 503, html: '<h1>Soon</h1>' }]
    await changed(id, { errors })
    const suspended = await s.call('PATCH', `/websites/${websiteId}`, { status: 'suspended' })
    expect(await s.inputOf(suspended.body.workflowId, 'edge-site.ensure')).toMatchObject({ rules: { errors: [] } })
    await s.carryOut()
    const active = await s.call('PATCH', `/websites/${websiteId}`, { status: 'active' })
    expect(await s.inputOf(active.body.workflowId, 'edge-site.ensure')).toMatchObject({ rules: { errors } })
    await s.carryOut()
  })

  it('that fetch over TLS prevent the website from getting a certificate that edges cannot verify', async () => {
    const { id, websiteId } = await behind('secure.example')
    await t.app.db
      .update(vhosts)
      .set({ rules: { fetch: 'https' } })
      .where(eq(vhosts.id, id))
    const { status, body } = await s.call('POST', '/ssl-controller/certificate/self-signed', { websiteId })
    expect([status, body.message]).toEqual([422, expect.stringContaining('fetch over TLS')])
    expect((await changed(id, { fetch: 'http' })).rules.fetch).toBe('http')
  })
})
