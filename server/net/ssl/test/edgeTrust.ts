import type { Answer } from '@innkeeper/contract/agent/door'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { letPass } from '../../../../bin/pass.ts'
import { claim, finish } from '../../../kit/work/claim.ts'
import { vhosts } from '../../vhosts/edges/tables.ts'
import { base, call, carryOut, custom, edge, hand, httpsOf, site, t } from './ssl.ts'

/** Puts a website behind an edge that fetches over TLS. */
async function fetchOverTls(id: number): Promise<void> {
  const behind = (await call('POST', '/vhost-management/vhost', { websiteId: id, serverId: edge })).body
  await carryOut(behind.workflowId)
  await t.app.db
    .update(vhosts)
    .set({ rules: { fetch: 'https' } })
    .where(eq(vhosts.id, behind.data.id))
}
/** Sends a call or carries out a workflow, while the edge answers whether it trusts the chains that it is asked about. */
async function during<T>(work: Promise<T>, wrong: unknown): Promise<T & { asked: number }> {
  let [done, asked] = [false, 0]
  const ended = work.finally(() => {
    done = true
  })
  while (!done) {
    for (const { id, attempt, input } of await claim(t.app.db, edge, 'read', 1)) {
      expect(input.chain).toMatch(/^-----BEGIN CERTIFICATE-----\n/)
      asked++
      await finish(t.app.db, edge, [{ id, attempt, status: 'done', output: { wrong } } as Answer])
    }
    await letPass(5, 'between two looks')
  }
  return Object.assign((await ended) as T & object, { asked })
}

const why = 'the certificate of Middle of tests comes from no public authority, or its chain is incomplete'

export const edgeTrustTests = () =>
  describe('a certificate of a website whose edges fetch over TLS', () => {
    it('is refused beside the field if an edge would not trust it, when it is uploaded, checked and installed', async () => {
      const id = await site('private.example')
      await fetchOverTls(id)
      const names = ['private.example']
      const refused = await during(custom(id, names), why)
      expect([refused.status, refused.body.fields]).toEqual([422, { certificate: expect.stringContaining(why) }])
      expect(refused.body.message).toMatch(/^cdn-certs fetches over TLS .* let them fetch over http first/)
      const nonsense = await during(custom(id, names), 7)
      expect([nonsense.status, nonsense.body.message]).toEqual([422, expect.stringContaining('was not understood')])
      const { leaf } = refused
      const checked = call('POST', '/ssl-controller/check', { websiteId: id, certificate: leaf.pem, ca: refused.ca })
      expect((await during(checked, why)).body.problems).toEqual({ certificate: expect.stringContaining(why) })
      expect((await call('GET', `/ssl-controller/certificates/${id}`)).body.items).toEqual([])
      const other = await site('other.private.example')
      const { body } = await custom(other, ['other.private.example', ...names]) // no edge, so nobody is asked
      await carryOut(body.workflowId)
      const install = () => call('POST', `${base}/${body.data.id}/install`, { websiteId: id })
      const kept = await during(install(), why)
      expect([kept.status, kept.body.fields, kept.asked]).toEqual([422, { websiteId: expect.stringContaining(why) }, 1])
      const trusting = await during(install(), null)
      expect(trusting.status).toBe(202)
      expect(await carryOut(trusting.body.workflowId)).toBe('done')
      expect((await during(custom(id, names), null)).status).toBe(201)
    })

    it('keeps the edges from fetching over TLS if one would not trust it', async () => {
      const id = await site('kept.example')
      await carryOut((await custom(id, ['kept.example'])).body.workflowId)
      const behind = (await call('POST', '/vhost-management/vhost', { websiteId: id, serverId: edge })).body
      await carryOut(behind.workflowId)
      const change = () =>
        call('PATCH', `/vhost-management/vhost/${behind.data.id}/rules`, { rules: { fetch: 'https' } })
      const refused = await during(change(), why)
      expect([refused.status, refused.body.fields]).toEqual([422, { 'rules.fetch': expect.stringContaining(why) }])
      expect((await during(change(), null)).status).toBe(202)
    })

    it('is not installed if it comes from an order', async () => {
      const id = await site('renewed.example')
      const { body } = await call('POST', `${base}/self-signed`, { websiteId: id })
      await carryOut(body.workflowId)
      const { version } = (await call('GET', `${base}/${body.data.id}`)).body
      await fetchOverTls(id)
      const renewal = (await call('PATCH', `${base}/${body.data.id}`, { version })).body.workflowId
      const installed = hand.asked.filter(({ name }) => name === 'tls-site.ensure').length
      const ended = await during(
        carryOut(renewal).then((status) => ({ status })),
        why,
      )
      expect(ended).toEqual({ status: 'failed', asked: 1 })
      expect((await call('GET', `${base}/${body.data.id}`)).body.reason).toContain(why)
      expect(hand.asked.filter(({ name }) => name === 'tls-site.ensure')).toHaveLength(installed)
      expect(await httpsOf(id)).toMatchObject({ certificateId: body.data.id })
    })
  })
