import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../test/certificates.ts'
import { rootOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { request } from './request.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'a website' : `a website (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'monitored')
    await p.provision()
    await p.website('shop.example')
  })
  afterAll(() => p?.end())

  const page = (path: string, text: string) =>
    writeFileSync(`${p.host.root}${rootOf('shop.example').path}${path}`, text)
  /** Checks the website on the practice server from this machine. */
  const see = (more: object = {}) =>
    request({
      ...{ id: 7, domain: 'shop.example', address: p.host.address, https: false, path: '/', word: null },
      ...more,
    })

  test('is up if its status and a word on its page say so, also after redirects within the website', async () => {
    // the first page may wait for PHP to start
    await expect.poll(() => see()).toMatchObject({ id: 7, status: 200, reason: null, certificateUntil: null })
    expect(await see({ word: '<h1>shop.example</h1>' })).toMatchObject({ reason: null })
    expect(await see({ word: 'Sold out' })).toMatchObject({
      status: 200,
      reason: 'the page does not contain “Sold out”',
    })
    page('/to.php', '<?php header("Location: /index.php");')
    expect(await see({ path: '/to.php', word: '<h1>shop.example</h1>' })).toMatchObject({ status: 200, reason: null })
    page('/round.php', '<?php header("Location: /round.php");')
    expect(await see({ path: '/round.php' })).toMatchObject({ reason: 'redirects more than 3 times' })
    page('/login.php', '<?php http_response_code(401);')
    expect(await see({ path: '/login.php' })).toMatchObject({ status: 401, reason: null })
  })

  test('is down after a PHP parse error, for a missing page and with a stopped web server, each with its reason', async () => {
    page('/broken.php', '<?php this is not PHP')
    expect(await see({ path: '/broken.php' })).toMatchObject({ status: 500, reason: 'answers 500' })
    expect(await see({ path: '/missing.php' })).toMatchObject({ status: 404, reason: 'answers 404' })
    await p.sh('systemctl', 'stop', 'nginx')
    expect(await see()).toMatchObject({ status: null, reason: 'refuses the connection' })
    await p.sh('systemctl', 'start', 'nginx')
    const site = { domain: 'shop.example', address: p.host.address, https: false, word: null }
    const sites = Array.from({ length: 50 }, (_, id) => ({ ...site, id: id + 1, path: id ? '/' : '/broken.php' }))
    const { output } = await p.done('websites.check', { sites })
    const { results } = output as { results: Awaited<ReturnType<typeof request>>[] }
    expect(results.map(({ id }) => id).sort((a, b) => a - b)).toEqual(sites.map(({ id }) => id))
    expect(results.filter(({ reason }) => reason !== null).map(({ id }) => id)).toEqual([1])
  })

  test('is requested over https, where the certificate must be valid for its name', async () => {
    const one = await made(p, 'shop.example')
    const tls = { domain: 'shop.example', names: ['shop.example'], redirect: true, hsts: 0 }
    await p.done('tls-site.ensure', { ...tls, ...one })
    const seen = await see({ https: true })
    expect(seen).toMatchObject({ status: 200, reason: null })
    expect(Date.parse(seen.certificateUntil ?? '')).toBeGreaterThan(Date.now())
  })
})
