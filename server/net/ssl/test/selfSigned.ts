import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { secrets } from '../../../kit/app/tables.ts'
import { renewDue } from '../orders/renew.ts'
import { certificates } from '../tables.ts'
import { base, call, carryOut, hand, httpsOf, site, t } from './ssl.ts'

export const selfSignedTests = () =>
  describe('a self-signed certificate', () => {
    it('is issued for all names of a website; a renewal issues it again with a new key', async () => {
      const id = await site('self.example')
      const { status, body } = await call('POST', `${base}/self-signed`, {
        websiteId: id,
        altNames: ['mail', '*.self.example'],
      })
      expect(status).toBe(201)
      expect(await carryOut(body.workflowId)).toBe('done')
      const made = (await call('GET', `${base}/${body.data.id}`)).body
      expect(made).toMatchObject({ status: 'active', names: ['self.example', '*.self.example'], autoRenew: true })
      expect(await httpsOf(id)).toMatchObject({ redirect: false })
      await t.app.db
        .update(certificates)
        .set({ notAfter: sql`now() + interval '20 days'` })
        .where(eq(certificates.id, made.id))
      const renewed = await call('PATCH', `${base}/${made.id}`, { version: made.version })
      expect(renewed.status).toBe(202)
      expect(await carryOut(renewed.body.workflowId)).toBe('done')
      const after = (await call('GET', `${base}/${made.id}`)).body
      expect(Date.parse(after.notAfter)).toBeGreaterThan(Date.now() + 390 * 86_400_000)
      expect(after.fingerprint).not.toBe(made.fingerprint)
      expect(after.attempts.map((one: { outcome: string }) => one.outcome)).toEqual(['in-use', 'replaced'])
      expect(
        await t.app.db
          .select()
          .from(secrets)
          .where(sql`name like ${`certificate:${made.id}:%`}`),
      ).toHaveLength(1)
      expect((await call('PATCH', `${base}/${made.id}`, { version: made.version })).status).toBe(409)
    })

    it('is refused for invalid names and for names of other websites', async () => {
      const id = await site('names.example')
      const post = (altNames: string[]) => call('POST', `${base}/self-signed`, { websiteId: id, altNames })
      for (const name of ['a b', 'x;y', '../x', 'é@evil.example', 'shop.example\nserver_name evil', '-x'])
        expect((await post([name])).body.fields?.altNames, name).toContain('not a name')
      expect((await post(['mail.other.example'])).body.fields.altNames).toContain('add it as an alias first')
      expect((await post(Array.from({ length: 101 }, (_, i) => `n${i}`))).status).toBe(400)
      expect((await call('POST', `${base}/self-signed`, { websiteId: id, email: 'nobody' })).status).toBe(400)
    })

    it('is renewed automatically when due, and includes a new alias', async () => {
      const id = await site('due.example')
      const { body } = await call('POST', `${base}/self-signed`, { websiteId: id })
      await carryOut(body.workflowId)
      const alias = await call('POST', `/websites/${id}/alias`, { domain: 'due-alias.example', websiteId: id })
      expect(alias.status, JSON.stringify(alias.body)).toBe(201)
      await carryOut(alias.body.workflowId)
      const due = (await call('GET', `${base}/${body.data.id}`)).body
      expect(Date.parse(due.renewAt)).toBeLessThanOrEqual(Date.now())
      expect(due.wanted).toContain('due-alias.example')
      expect(await renewDue(t.app)).toBe(1)
      expect(await renewDue(t.app)).toBe(0)
      const { workflowId } = (await call('GET', `${base}/${body.data.id}`)).body
      expect(await carryOut(workflowId)).toBe('done')
      const after = (await call('GET', `${base}/${body.data.id}`)).body
      expect(after.names.toSorted()).toEqual([
        ...['due-alias.example', 'due.example', 'www.due-alias.example', 'www.due.example'],
      ])
      expect(Date.parse(after.renewAt)).toBeGreaterThan(Date.now() + 200 * 86_400_000)
    })

    it('whose automatic renewal fails does not lock the website: it is rolled back and retried with growing pauses', async () => {
      const id = await site('again.example')
      const { body } = await call('POST', `${base}/self-signed`, { websiteId: id })
      await carryOut(body.workflowId)
      const waits: number[] = []
      for (let tries = 0; tries < 3; tries++) {
        await t.app.db.update(certificates).set({ renewAt: sql`now()` }).where(eq(certificates.id, body.data.id))
        hand.failing = 'tls-site.ensure'
        expect(await renewDue(t.app)).toBe(1)
        const { workflowId } = (await call('GET', `${base}/${body.data.id}`)).body
        expect(await carryOut(workflowId)).toBe('rolled-back')
        hand.failing = undefined
        const now = (await call('GET', `${base}/${body.data.id}`)).body
        expect(now).toMatchObject({
          status: 'active',
          failures: tries + 1,
          reason: 'Install certificate: made to fail',
        })
        waits.push(Date.parse(now.renewAt) - Date.now())
      }
      expect(waits[0]).toBeGreaterThan(30 * 60_000)
      expect(waits[2]).toBeGreaterThan((waits[0] ?? 0) * 2)
      expect((await call('GET', '/employee-controller/notifications')).body.items[0]).toMatchObject({
        reason: 'certificate',
        title: 'The certificate of again.example cannot be renewed',
      })
      expect(await httpsOf(id)).toMatchObject({ certificateId: body.data.id })
      // the website itself is not locked
      expect((await call('PATCH', `/websites/${id}`, { status: 'suspended' })).status).toBe(202)
    })
  })
