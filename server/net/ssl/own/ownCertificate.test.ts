import { X509Certificate } from 'node:crypto'
import type { Server } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openRedirect } from '../../../kit/http/tls.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { freePort, hasPebble, type Pebble, startPebble } from '../test/pebble.ts'
import { challengeAnswer, openOwnCertificate } from './ownCertificate.ts'

describe.skipIf(!hasPebble)(
  hasPebble ? 'the certificate of Innkeeper itself' : 'the certificate of Innkeeper itself (no pebble here)',
  () => {
    let t: TestApp
    let pebble: Pebble
    let redirect: Server
    const name = 'innkeeper.example.org'
    beforeAll(async () => {
      t = await openTestApp()
      const port = await freePort()
      pebble = await startPebble(port)
      Object.assign(t.app.settings, { acme: pebble.directory, acmeCa: pebble.ca })
      redirect = openRedirect({ name, port: 443 }, (token) => challengeAnswer(t.app, token))
      await new Promise<void>((resolve) => redirect.listen(port, '127.0.0.1', resolve))
    })
    afterAll(async () => {
      redirect.close()
      await pebble.stop()
      await t.close()
    })

    it('is ordered once for all nodes, over the port for http, and stays after a restart', async () => {
      const [one, other] = await Promise.all([openOwnCertificate(t.app, name), openOwnCertificate(t.app, name)])
      await Promise.all([one.look(), other.look()])
      const stored = JSON.parse((await t.app.secrets.read(t.app.db, `own-certificate:${name}`)) ?? '')
      const leaf = new X509Certificate(stored.cert)
      expect(leaf.checkHost(name)).toBe(name)
      expect(leaf.issuer).toMatch(/Pebble/)
      const [row] = await rows<{ failure: string | null; ends: string }>(
        t.app.db,
        sql`select failure, not_after as ends from own_certificates where name = ${name}`,
      )
      expect(row).toMatchObject({ failure: null, ends: expect.anything() })
      await other.look()
      expect(other.tls.endsAt()).toEqual(leaf.validToDate)
      const again = await openOwnCertificate(t.app, name)
      expect(again.tls.endsAt()).toEqual(leaf.validToDate)
      for (const each of [one, other, again]) each.stop()
    })

    it('keeps the temporary certificate after a refusal, says why, and waits before the next order', async () => {
      const refused = 'refused.example.org'
      await pebble.set('add-a', { host: refused, addresses: ['127.0.0.9'] })
      const own = await openOwnCertificate(t.app, refused)
      await own.look()
      const [row] = await rows<{ failure: string; waits: boolean }>(
        t.app.db,
        sql`select failure, claimed_until > now() + interval '30 minutes' as waits from own_certificates where name = ${refused}`,
      )
      expect(row).toMatchObject({ failure: expect.stringMatching(/./), waits: true })
      own.stop()
    })
  },
)
