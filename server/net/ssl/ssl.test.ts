import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { owners } from '../../hosting/owners/tables.ts'
import { secrets } from '../../kit/app/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { mailboxes } from '../mailboxes/tables.ts'
import { certificateOrders, siteCertificates } from './tables.ts'
import { chainFor } from './test/chain.ts'
import { edgeTrustTests } from './test/edgeTrust.ts'
import { selfSignedTests } from './test/selfSigned.ts'
import { base, call, carryOut, custom, edge, hand, httpsOf, planOf, server, site, t } from './test/ssl.ts'

describe('an uploaded certificate', () => {
  it('is installed, recorded, shown with its chain, and listed by name, kind and status', async () => {
    const id = await site('own.example')
    const { status, body } = await custom(id, ['own.example', 'www.own.example'])
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      kind: 'custom',
      status: 'ordering',
      names: ['own.example', 'www.own.example'],
      uses: [],
    })
    expect(await planOf(body.workflowId)).toEqual([
      ...['nginx-site.ensure', 'tls-site.ensure', 'certificate.probe', 'certificate.take'],
    ])
    expect(await carryOut(body.workflowId)).toBe('done')
    const view = (await call('GET', `${base}/${body.data.id}`)).body
    expect(view).toMatchObject({
      status: 'active',
      issuer: 'Middle of tests',
      key: 'ECDSA P-256',
      uses: [{ websiteId: id, domain: 'own.example' }],
      chain: [{ subject: 'own.example' }, { subject: 'Middle of tests' }],
      attempts: [{ outcome: 'in-use' }],
      renewAt: null,
    })
    expect(await httpsOf(id)).toMatchObject({ certificateId: body.data.id, redirect: true, hstsDays: 0 })
    expect((await call('GET', `/websites/${id}/toggles`)).body.ssl).toBe(true)
    for (const query of [
      'search=www.own',
      'kind=custom',
      'status=active',
      `website=${id}`,
      'within=100',
      'used=true',
      'page=-3',
    ])
      expect(
        (await call('GET', `${base}?${query}`)).body.items.map((one: { id: number }) => one.id),
        query,
      ).toContain(body.data.id)
    for (const query of ['search=nobody', 'kind=self-signed', 'status=expired', 'within=3', 'used=false'])
      expect((await call('GET', `${base}?${query}`)).body.items, query).toEqual([])
  })

  it('is refused with each problem beside its field, and not stored', async () => {
    const id = await site('wrong.example')
    const other = await chainFor(['other.example'])
    const { status, body } = await custom(id, ['wrong.example'], { key: other.leaf.key })
    expect([status, body.fields]).toEqual([422, { key: 'This is the key of another certificate' }])
    expect((await custom(id, ['other.example'])).body.fields.certificate).toBe(
      'The certificate is for other.example, not for wrong.example',
    )
    expect((await custom(id, ['wrong.example'], { ca: '' })).body.fields.certificate).toContain('Middle of tests')
    expect((await call('GET', `/ssl-controller/certificates/${id}`)).body.items).toEqual([])
    expect((await custom(999_999, ['wrong.example'])).status).toBe(404)
    const looked = await call('POST', '/ssl-controller/check', { websiteId: id, certificate: other.leaf.pem })
    expect(looked.body).toMatchObject({
      names: ['other.example'],
      problems: { certificate: expect.stringContaining('not for') },
    })
  })

  it('never has its private key in an answer, log row or action: only the agent gets the key', async () => {
    const id = await site('secret.example')
    const { body, leaf } = await custom(id, ['secret.example'])
    await carryOut(body.workflowId)
    const lines = leaf.key.split('\n').filter((line) => line.length === 64)
    expect(lines.length).toBeGreaterThan(1)
    for (const table of ['actions', 'action_logs', 'action_outputs', 'certificates', 'certificate_orders', 'secrets'])
      for (const line of lines)
        expect(
          await rows(t.app.db, sql`select 1 from ${sql.identifier(table)} x where x::text like ${`%${line}%`}`),
          table,
        ).toEqual([])
    const answers = await Promise.all(
      [`${base}/${body.data.id}`, base, `/ssl-controller/certificates/${id}`, '/logs'].map((path) => call('GET', path)),
    )
    for (const line of lines) expect(JSON.stringify(answers)).not.toContain(line)
    const given = hand.asked.findLast(({ name }) => name === 'tls-site.ensure')?.input
    expect(given?.privateKey).toContain(lines[0])
  })

  it('whose installation fails stays failed, and its rollback restores the website', async () => {
    const id = await site('back.example')
    hand.failing = 'tls-site.ensure'
    const { body } = await custom(id, ['back.example'])
    expect(await carryOut(body.workflowId)).toBe('failed')
    expect((await call('GET', `${base}/${body.data.id}`)).body).toMatchObject({
      status: 'failed',
      reason: 'Install certificate: made to fail',
    })
    hand.failing = undefined
    const [stopped] = await rows<{ id: number }>(
      t.app.db,
      sql`select action_id::int as id from actions where workflow_id = ${body.workflowId} and status = 'failed'`,
    )
    await call('PATCH', `/workflows/${body.workflowId}/actions/${stopped?.id}`, {
      actionType: 'rollback',
      reason: 'no',
    })
    expect(await carryOut(body.workflowId)).toBe('rolled-back')
    expect(await httpsOf(id)).toBeNull()
    expect(
      await t.app.db
        .select()
        .from(secrets)
        .where(sql`name like ${`certificate:${body.data.id}:%`}`),
    ).toEqual([])
  })

  it('is deleted only when no website uses it, with its key', async () => {
    const id = await site('used.example')
    const first = await custom(id, ['used.example'])
    await carryOut(first.body.workflowId)
    const refused = await call('DELETE', `${base}/${first.body.data.id}`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('used.example answers with it'),
    ])
    const second = await custom(id, ['used.example'], { redirect: false, hstsDays: 30 })
    await carryOut(second.body.workflowId)
    expect(await httpsOf(id)).toMatchObject({ certificateId: second.body.data.id, redirect: false, hstsDays: 30 })
    expect((await call('DELETE', `${base}/${first.body.data.id}`)).status).toBe(204)
    expect((await call('GET', `${base}/${first.body.data.id}`)).status).toBe(404)
    const left = await t.app.db
      .select()
      .from(secrets)
      .where(sql`name like ${`certificate:${first.body.data.id}:%`}`)
    expect(left).toEqual([])
    const off = await call('DELETE', `/ssl-controller/websites/${id}`)
    expect(off.status).toBe(202)
    await carryOut(off.body.workflowId)
    expect(await httpsOf(id)).toBeNull()
    expect((await call('DELETE', `${base}/${second.body.data.id}`)).status).toBe(204)
  })
})

selfSignedTests()
edgeTrustTests()

describe('a website takes its certificate', () => {
  it('into the trash and back; a purge deletes certificate and key', async () => {
    const id = await site('trash.example')
    const { body } = await custom(id, ['trash.example'])
    await carryOut(body.workflowId)
    const gone = (await call('DELETE', `/websites/${id}`)).body
    expect(await planOf(gone.workflowId)).toContain('tls-site.remove')
    await carryOut(gone.workflowId)
    const back = await call('POST', `/websites/${id}/restore`)
    const plan = await planOf(back.body.workflowId)
    expect(plan.indexOf('tls-site.ensure')).toBeLessThan(plan.indexOf('nginx-site.ensure'))
    expect(plan).toContain('tls-site.ensure')
    await carryOut(back.body.workflowId)
    expect(await httpsOf(id)).toMatchObject({ certificateId: body.data.id })
    await carryOut((await call('DELETE', `/websites/${id}`)).body.workflowId)
    const purged = await call('DELETE', `/websites/${id}/trash`, { domain: 'trash.example' })
    await carryOut(purged.body.workflowId)
    expect((await call('GET', `${base}/${body.data.id}`)).status).toBe(404)
    expect(
      await t.app.db
        .select()
        .from(secrets)
        .where(sql`name like ${`certificate:${body.data.id}:%`}`),
    ).toEqual([])
    expect(await t.app.db.select().from(siteCertificates).where(eq(siteCertificates.websiteId, id))).toEqual([])
  })

  it('to its edges, which redirect to https only once they can serve it, and lose the key afterwards', async () => {
    const id = await site('edged.example')
    const names = ['edged.example', 'www.edged.example']
    const plain = (await custom(id, names, { redirect: false })).body
    await carryOut(plain.workflowId)
    const behind = (await call('POST', '/vhost-management/vhost', { websiteId: id, serverId: edge })).body
    expect(await planOf(behind.workflowId)).toEqual([
      ...[
        'web-proxies.ensure',
        'packages.ensure',
        'nginx-cache.ensure',
        'edge-site.ensure',
        'edge-tls.ensure',
        'certificate.probe',
        'vhost.edge-probe',
      ],
    ])
    expect(await carryOut(behind.workflowId)).toBe('done')
    const given = () => hand.asked.findLast(({ name }) => name === 'edge-tls.ensure')?.input
    expect(given()).toMatchObject({ vhostId: behind.data.id, domain: 'edged.example', names, redirect: false })
    expect(given()?.privateKey).toContain('PRIVATE KEY')

    const led = (await custom(id, names, { redirect: true })).body
    expect(await planOf(led.workflowId)).toEqual([
      ...['nginx-site.ensure', 'edge-tls.ensure', 'certificate.probe', 'tls-site.ensure', 'certificate.probe'],
      ...['edge-cache.clear', 'certificate.take'],
    ])
    expect(await carryOut(led.workflowId)).toBe('done')
    expect(given()).toMatchObject({ redirect: true })
    const same = (await call('POST', `${base}/${led.data.id}/install`, {})).body
    expect(await planOf(same.workflowId)).toEqual([
      ...['nginx-site.ensure', 'tls-site.ensure', 'certificate.probe', 'edge-tls.ensure', 'certificate.probe'],
      'certificate.take',
    ])
    await carryOut(same.workflowId)

    const off = (await call('DELETE', `/ssl-controller/websites/${id}`, {})).body
    expect(await planOf(off.workflowId)).toEqual([
      ...['tls-site.remove', 'edge-tls.remove', 'edge-cache.clear', 'certificate.release'],
    ])
    await carryOut(off.workflowId)
    await carryOut((await call('POST', `${base}/${led.data.id}/install`, {})).body.workflowId)
    const left = (await call('DELETE', `/vhost-management/vhost/${behind.data.id}`, {})).body
    expect(await planOf(left.workflowId)).toEqual(['edge-site.remove', 'edge-tls.remove', 'edge-cache.clear'])
    expect(await carryOut(left.workflowId)).toBe('done')
  })

  it('during its creation, in the same workflow, if the person may create both', async () => {
    const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
    const wanted = {
      originServer: server,
      domain: 'born.example',
      plan: 'Business',
      userId: kari?.id,
      certificate: 'self-signed',
    }
    const planned = (await call('POST', '/websites/plan', wanted)).body.actions.map((one: { name: string }) => one.name)
    const { body } = await call('POST', '/websites', wanted)
    expect(await planOf(body.workflowId)).toEqual(planned)
    expect(planned.slice(3)).toEqual([
      ...[
        'nginx-site.ensure',
        'website.probe',
        'certificate.order',
        'tls-site.ensure',
        'certificate.probe',
        'certificate.take',
      ],
    ])
    expect(await carryOut(body.workflowId)).toBe('done')
    expect(await httpsOf(body.data.id)).toMatchObject({ redirect: false })
    const some = (await t.somebody(['website:website:create'])).token
    const denied = await call('POST', '/websites', { ...wanted, domain: 'denied.example' }, some)
    expect([denied.status, denied.body.message]).toEqual([403, 'Needs “Create certificates”'])
  })

  it('under its next name before a redirect leads there, and under that of a mail host, which stays', async () => {
    const id = await site('old.example')
    await t.app.db.insert(mailboxes).values({ domain: 'old.example', websiteId: id, serverId: server })
    const altNames = ['mail.old.example', 'blog.old.example']
    const { body } = await call('POST', `${base}/self-signed`, { websiteId: id, altNames })
    await carryOut(body.workflowId)
    const { body: planned } = await call('POST', `/websites/${id}/rename/plan`, { newDomain: 'new.example' })
    expect(planned.changes).toContainEqual(
      expect.objectContaining({ title: 'Certificate', after: expect.stringContaining('new.example') }),
    )
    const renamed = await call('PATCH', `/websites/${id}/rename`, { newDomain: 'new.example' })
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(202)
    const plan = await planOf(renamed.body.workflowId)
    expect(plan.indexOf('certificate.take')).toBeLessThan(plan.indexOf('nginx-site.rename'))
    expect(await carryOut(renamed.body.workflowId)).toBe('done')
    const view = (await call('GET', `${base}/${body.data.id}`)).body
    expect(view.domain).toBe('new.example')
    expect(view.names.toSorted()).toEqual([
      ...['blog.new.example', 'mail.old.example', 'new.example', 'old.example', 'www.new.example', 'www.old.example'],
    ])
    const [order] = await t.app.db
      .select()
      .from(certificateOrders)
      .where(eq(certificateOrders.workflowId, renamed.body.workflowId))
    expect(order?.outcome).toBe('in-use')
  })
})
