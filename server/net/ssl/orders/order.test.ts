import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../../hosting/owners/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled } from '../../../test/work.ts'
import { readThumbprint } from '../acme/account.ts'
import { selfSigned } from '../certificates/generate.ts'
import { certificateOrders, certificates } from '../tables.ts'
import { type Hand, handOf } from '../test/carry.ts'
import { freePort, hasPebble, type Pebble, startPebble } from '../test/pebble.ts'
import { askWindows } from './renew.ts'
import { renewalTime } from './renewalTime.ts'

const base = '/ssl-controller/certificate'

describe.skipIf(!hasPebble)(hasPebble ? 'a certificate by ACME' : 'a certificate by ACME (no pebble here)', () => {
  let t: TestApp
  let admin: string
  let server: number
  let hand: Hand
  let pebble: Pebble
  let web: Server
  /** Names for which the test's web server answers challenges wrongly. */
  let deaf: string[] = []
  beforeAll(async () => {
    t = await openTestApp()
    admin = (await t.somebody('admin')).token
    server = await enrolled(t.app.db, 'web-acme', { provisionedAt: new Date().toISOString(), address: '127.0.0.1' })
    hand = handOf(t.app, () => [server])
    const thumbprint = await readThumbprint(t.app, t.app.db)
    web = createServer((request, response) => {
      const token = request.url?.split('/').at(-1) ?? ''
      const name = (request.headers.host ?? '').replace(/:\d+$/, '')
      response.end(deaf.includes(name) ? 'nothing' : `${token}.${thumbprint}`)
    })
    const port = await freePort()
    await new Promise<void>((resolve) => web.listen(port, '127.0.0.1', resolve))
    pebble = await startPebble(port)
    Object.assign(t.app.settings, { acme: pebble.directory, acmeCa: pebble.ca, resolver: pebble.resolver })
  })
  afterEach(() => {
    deaf = []
  })
  afterAll(async () => {
    await pebble?.stop()
    web?.close()
    await t?.close()
  })

  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    t.call(method, `/api${path}`, { token: admin, body })
  async function site(domain: string): Promise<number> {
    const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
    const wanted = { originServer: server, domain, plan: 'Business', userId: kari?.id }
    const { body } = await call('POST', '/websites', wanted)
    await hand.carryOut(body.workflowId)
    return body.data.id
  }
  /** Orders a certificate. The authority validates on another port than the preflight. */
  const order = async (websiteId: number, more: Record<string, unknown> = {}) =>
    (await call('POST', `${base}/lets-encrypt`, { websiteId, force: true, ...more })).body
  const view = async (id: number) => (await call('GET', `${base}/${id}`)).body
  const ordersOf = (id: number) =>
    t.app.db
      .select()
      .from(certificateOrders)
      .where(eq(certificateOrders.certificateId, id))
      .orderBy(certificateOrders.id)

  it('is ordered for the website and its www name, installed, and scheduled for renewal before its last third', async () => {
    const id = await site('shop.example')
    const { data, workflowId } = await order(id, { email: 'ops@example.org' })
    expect(await hand.carryOut(workflowId)).toBe('done')
    const made = await view(data.id)
    expect(made).toMatchObject({
      status: 'active',
      issuer: expect.stringMatching(/^Pebble/),
      key: 'ECDSA P-256',
      missing: [],
    })
    expect(made.names.toSorted()).toEqual(['shop.example', 'www.shop.example'])
    expect(made.chain).toHaveLength(2)
    const share =
      (Date.parse(made.renewAt) - Date.parse(made.notBefore)) / (Date.parse(made.notAfter) - Date.parse(made.notBefore))
    expect(share).toBeGreaterThan(0.6)
    expect(share).toBeLessThan(0.72)
    const given = hand.asked.find(({ name }) => name === 'acme-answer.ensure')?.input
    expect(given?.thumbprint).toBe(await readThumbprint(t.app, t.app.db))
    const renewed = await call('PATCH', `${base}/${data.id}`, { force: true })
    expect(await hand.carryOut(renewed.body.workflowId)).toBe('done')
    expect((await view(data.id)).fingerprint).not.toBe(made.fingerprint)
    expect((await ordersOf(data.id)).map(({ outcome, renewal }) => [outcome, renewal])).toEqual([
      ['replaced', false],
      ['in-use', true],
    ])
  })

  it('is revoked with a reason and its own key when it is deleted, if an authority issued it', async () => {
    const id = await site('taken.example')
    const { data, workflowId } = await order(id)
    expect(await hand.carryOut(workflowId)).toBe('done')
    const { serial } = await view(data.id)
    const remove = (body: object) => t.call('DELETE', `/api${base}/${data.id}`, { token: admin, body })
    expect((await remove({ revoke: 'keyCompromise' })).status).toBe(409) // a website uses it
    const own = (await call('POST', `${base}/self-signed`, { websiteId: id })).body
    expect(await hand.carryOut(own.workflowId)).toBe('done')
    const revoking = await remove({ revoke: 'keyCompromise' })
    expect(revoking.status).toBe(202)
    expect((await view(data.id)).status).toBe('revoked')
    const { token: reader } = await t.somebody(['ssl:cert:read'])
    const seen = await t.call('GET', `/api/workflows/${revoking.body.workflowId}`, { token: reader })
    expect([seen.status, seen.body.kind]).toEqual([200, 'certificate.revoke'])
    expect((await call('POST', `${base}/${data.id}/install`, {})).body.message).toContain('revoked')
    expect(await hand.carryOut(revoking.body.workflowId)).toBe('done')
    expect((await call('GET', `${base}/${data.id}`)).status).toBe(404)
    expect(await pebble.statusOf(serial)).toMatchObject({ Status: 'Revoked', Reason: 1 })
    const off = await t.call('DELETE', `/api/ssl-controller/websites/${id}`, { token: admin })
    expect(await hand.carryOut(off.body.workflowId)).toBe('done')
    const mine = await t.call('DELETE', `/api${base}/${own.data.id}`, { token: admin, body: { revoke: 'superseded' } })
    expect(mine.body.fields.revoke).toContain('No authority of ours')
  })

  it('is not issued if one of 20 names is unreachable, and the error contains this name', async () => {
    const id = await site('many.example')
    const names = Array.from({ length: 18 }, (_, i) => `n${i}.many.example`)
    deaf = ['n7.many.example']
    const { data, workflowId } = await order(id, { subDomains: names })
    expect(await hand.carryOut(workflowId)).toBe('failed')
    const failed = await view(data.id)
    expect(failed).toMatchObject({ status: 'failed', uses: [] })
    expect(failed.reason).toContain('1 of 20 names could not be proved. Nothing was issued')
    expect(failed.reason).toContain('n7.many.example: The authority received a wrong answer')
    expect(failed.reason).not.toContain('n8.many.example')
    expect((await ordersOf(data.id))[0]).toMatchObject({ refusedNames: ['n7.many.example'], ordered: true })
    const { limits } = (await call('GET', '/ssl-controller/limits')).body
    expect(limits).toContainEqual(expect.objectContaining({ limit: 'failures', about: 'n7.many.example', used: 1 }))
  })

  it('omits an automatic name that cannot be validated, and reports the name', async () => {
    const id = await site('left.example')
    deaf = ['www.left.example']
    const { data, workflowId } = await order(id)
    expect(await hand.carryOut(workflowId)).toBe('done')
    const made = await view(data.id)
    expect(made.names).toEqual(['left.example'])
    expect(made.missing).toEqual([
      { name: 'www.left.example', reason: expect.stringContaining('received a wrong answer') },
    ])
    // the renewal, which tries the omitted name again, is due within a day
    expect(Date.parse(made.renewAt)).toBeLessThan(Date.now() + 86_400_000)
  })

  it('is not ordered if the preflight finds an obstacle at a name: no address, another server, or CAA', async () => {
    const id = await site('pre.example')
    await pebble.set('add-a', { host: 'pre.example', addresses: ['192.0.2.7'] })
    await pebble.set('add-caa', { host: 'www.pre.example', policies: [{ tag: 'issue', value: 'other-ca.example' }] })
    const { body } = await call('POST', '/ssl-controller/preflight', { websiteId: id, subDomains: ['*.pre.example'] })
    expect(body.authority).toBeNull()
    const of = (name: string) => body.items.find((one: { name: string }) => one.name === name)
    expect(of('pre.example')).toMatchObject({
      ok: false,
      checks: [
        { what: 'dns', level: 'blocker', text: 'Leads to 192.0.2.7, and web-acme is 127.0.0.1' },
        { what: 'caa' },
      ],
    })
    expect(of('*.pre.example')).toMatchObject({
      ok: false,
      checks: [{ text: 'A wildcard is proved in DNS, but Innkeeper does not manage its zone' }, { what: 'caa' }],
    })
    const { data, workflowId } = await order(id, { force: false })
    expect(await hand.carryOut(workflowId)).toBe('failed')
    expect((await view(data.id)).reason).toContain('pre.example: Leads to 192.0.2.7')
    expect((await ordersOf(data.id))[0]?.ordered).toBe(false)
  })

  it('reports an outage or rate limit of the authority, and orders nothing beyond the limits', async () => {
    const id = await site('down.example')
    const { acme } = t.app.settings
    Object.assign(t.app.settings, { acme: `https://localhost:${await freePort()}/dir` })
    const { data, workflowId } = await order(id)
    expect(await hand.carryOut(workflowId)).toBe('failed')
    expect((await view(data.id)).reason).toMatch(
      /localhost:\d+ does not answer: connection refused\. Nothing was ordered/,
    )
    const looked = await call('POST', '/ssl-controller/preflight', { websiteId: id })
    expect(looked.body.authority).toContain('does not answer')
    Object.assign(t.app.settings, { acme })
    await t.app.db.insert(certificateOrders).values(
      Array.from({ length: 300 }, () => ({
        ...{ certificateId: data.id, outcome: 'failed' as const, directory: acme, names: ['x.example'], ordered: true },
      })),
    )
    const limited = await order(await site('limited.example'))
    expect(await hand.carryOut(limited.workflowId)).toBe('failed')
    expect((await view(limited.data.id)).reason).toMatch(
      /\d+ of 300 orders in the last 3 hours are used up; the next is possible/,
    )
    await t.app.db.delete(certificateOrders).where(sql`names = array['x.example']`)
  })

  it('is not ordered twice after a lost answer: the next attempt finds the issued certificate', async () => {
    const id = await site('lost.example')
    const { data, workflowId } = await order(id)
    hand.failing = 'tls-site.ensure'
    expect(await hand.carryOut(workflowId)).toBe('failed')
    hand.failing = undefined
    const [first] = await ordersOf(data.id)
    const { body: progress } = await call('GET', `/workflows/${workflowId}`)
    const ordering = progress.actions.find((one: { name: string }) => one.name === 'certificate.order')
    await call('PATCH', `/workflows/${workflowId}/actions/${ordering.id}`, { actionType: 'retry-from' })
    expect(await hand.carryOut(workflowId)).toBe('done')
    expect((await ordersOf(data.id)).map(({ fingerprint }) => fingerprint)).toEqual([first?.fingerprint])
    expect((await view(data.id)).fingerprint).toBe(first?.fingerprint)
  })

  it('is renewed in the window of the authority', async () => {
    const { acme, acmeCa } = t.app.settings
    const { key, pem } = await selfSigned(['localhost'])
    const suggestedWindow = { start: '2031-01-02T04:00:00.000Z', end: '2031-01-03T04:00:00.000Z' }
    const stub = createSecureServer({ key, cert: pem }, (request, response) => {
      const at = (path: string) => `https://${request.headers.host}${path}`
      const directory = { newNonce: at('/n'), newAccount: at('/a'), newOrder: at('/o'), renewalInfo: at('/ari') }
      response.end(JSON.stringify(request.url === '/dir' ? directory : { suggestedWindow }))
    })
    const port = await freePort()
    await new Promise<void>((resolve) => stub.listen(port, '127.0.0.1', resolve))
    Object.assign(t.app.settings, { acme: `https://localhost:${port}/dir`, acmeCa: pem })
    expect(await askWindows(t.app)).toBeGreaterThan(0)
    const found = await t.app.db.select().from(certificates).where(sql`window_start is not null`)
    expect(found.length).toBeGreaterThan(0)
    for (const { renewAt } of found) expect(renewAt).toMatch(/^2031-01-0[23]T/)
    // the authority is asked only every few hours
    expect(await askWindows(t.app)).toBe(0)
    stub.close()
    Object.assign(t.app.settings, { acme, acmeCa })
  })
})

it('spreads the renewals of certificates that were issued together', () => {
  const life = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2026-04-01T00:00:00Z' }
  expect(renewalTime(life, null, () => 0)).toBe('2026-02-26T06:00:00.000Z')
  expect(renewalTime(life, null, () => 1)).toBe('2026-03-05T18:00:00.000Z')
  expect(renewalTime(life, { start: '2026-02-01T00:00:00Z', end: '2026-02-03T00:00:00Z' }, () => 0.5)).toBe(
    '2026-02-02T00:00:00.000Z',
  )
})
