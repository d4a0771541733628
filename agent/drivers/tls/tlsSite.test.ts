import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made as certificateFor } from '../../test/certificates.ts'
import { siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'https' : `https (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'https')
    await p.provision()
    await p.website('shop.example')
  })
  afterAll(() => p?.end())

  const made = (...names: [string, ...string[]]) => certificateFor(p, ...names)
  const input = (more: Awaited<ReturnType<typeof made>>, names = ['shop.example']) => ({
    ...{ domain: 'shop.example', names, redirect: false, hsts: 0 },
    ...more,
  })
  /** The subject of the certificate that openssl gets for a name; empty without one. */
  async function shown(name: string): Promise<string> {
    const asked = ['openssl', 's_client', '-connect', `${p.host.address}:443`, '-servername', name]
    const { stdout } = await p.host.exec(asked, { input: '' })
    return stdout.match(/^subject=(.*)$/m)?.[1]?.replace(/\s/g, '') ?? ''
  }
  const curl = async (...argv: string[]) => {
    const { stdout } = await p.host.exec([
      ...['curl', '-sk', '-o', '/dev/null', '-D', '-', '--connect-to', `::${p.host.address}:`, ...argv],
    ])
    return stdout
  }

  test('shows no certificate for a website without one, or an unknown name', async () => {
    expect(await shown('shop.example')).toBe('')
    expect(await shown('nobody.example')).toBe('')
  })

  test('shows a certificate for its own website only, over http/2, with a key that only root reads', async () => {
    const one = await made('shop.example')
    const { output, said } = await p.done('tls-site.ensure', input(one))
    expect(said.join()).toContain('shop.example: shown with')
    expect(await shown('shop.example')).toBe('CN=shop.example')
    expect(await shown('nobody.example')).toBe('')
    expect(await curl('--http2', 'https://shop.example/')).toMatch(/^HTTP\/2 200/)
    expect(await curl('http://shop.example/')).toMatch(/^HTTP\/1.1 200/)
    const { fingerprint } = output as { fingerprint: string }
    const folder = `/etc/innkeeper/tls/${fingerprint}`
    expect(await p.sh('stat', '--format=%a %U', '/etc/innkeeper/tls', folder, `${folder}/key.pem`)).toBe(
      '700 root\n700 root\n600 root\n',
    )
    expect((await p.done('tls-site.ensure', input(one))).said.join()).toContain('already')
    expect((await p.done('tls-site.ensure', input(one), { inspect: true })).output).toEqual({ inspected: true })
  })

  test('redirects to https and sends HSTS on request; http still answers challenges', async () => {
    await p.done('acme-answer.ensure', { thumbprint: 'T'.repeat(43) })
    const one = await made('shop.example')
    await p.done('tls-site.ensure', { ...input(one), redirect: true, hsts: 86_400 })
    expect(await curl('http://shop.example/a?b=c')).toMatch(
      /^HTTP\/1.1 301[\s\S]*location: https:\/\/shop.example\/a\?b=c/i,
    )
    // an edge uses http to the origin for https visitors: a redirect would loop
    expect(await curl('-H', 'X-Forwarded-Proto: https', 'http://shop.example/')).toMatch(/^HTTP\/1.1 301/)
    await p.done('web-proxies.ensure', { add: [p.host.address] })
    expect(await curl('-H', 'X-Forwarded-Proto: https', 'http://shop.example/')).toMatch(/^HTTP\/1.1 200/)
    expect(await curl('-H', 'X-Forwarded-Proto: http', 'http://shop.example/')).toMatch(/^HTTP\/1.1 301/)
    expect(await curl('https://shop.example/')).toMatch(/strict-transport-security: max-age=86400/i)
    const token = '/.well-known/acme-challenge/abc_-123'
    for (const name of ['shop.example', 'not-yet.example'])
      expect(await p.sh('curl', '-s', '-H', `Host: ${name}`, `http://${p.host.address}${token}`)).toBe(
        `abc_-123.${'T'.repeat(43)}`,
      )
    expect(await curl('http://shop.example/.well-known/acme-challenge/../../etc/passwd')).not.toMatch(/200/)
    // a suspended website answers its page over both
    const site = { ...siteOf('shop.example'), before: 'active' as const }
    await p.done('nginx-site.ensure', { ...site, state: 'suspended' })
    expect(await curl('http://shop.example/')).toMatch(/^HTTP\/1.1 503/)
    expect(await curl('https://shop.example/')).toMatch(/^HTTP\/2 503/)
    await p.done('nginx-site.ensure', { ...siteOf('shop.example'), before: 'suspended' })
    expect(await curl('http://shop.example/')).toMatch(/^HTTP\/1.1 301/)
  })

  test('restores the former certificate if the new one is not shown for all names or has a foreign key', async () => {
    const before = await shown('shop.example')
    const other = await made('shop.example', 'foreign.example')
    const refused = await p.op('tls-site.ensure', input(other, ['shop.example', 'foreign.example']))
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('foreign.example shows none') })
    expect(await shown('shop.example')).toBe(before)
    const stranger = await made('stranger.example')
    const wrong = { ...input(other), privateKey: stranger.privateKey }
    expect(await p.op('tls-site.ensure', wrong)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('not the key'),
    })
    expect(await curl('https://shop.example/')).toMatch(/^HTTP\/2 200/)
    expect(await p.sh('nginx', '-t', '-q')).toBe('')
  })

  test('undo restores the former certificate, or none; unused keys are deleted', async () => {
    const fingerprint = async () =>
      (
        await p.sh('sh', '-c', 'grep -ho "[0-9a-f]\\{64\\}" /etc/nginx/innkeeper/tls/shop.example.conf | head -1')
      ).trim()
    const before = await fingerprint()
    const next = await made('shop.example')
    const { output } = await p.done('tls-site.ensure', input(next), { id: 9001 })
    expect(await fingerprint()).toBe((output as { fingerprint: string }).fingerprint)
    await p.done('tls-site.ensure', input(next), { id: 9001, task: 'undo' })
    expect(await fingerprint()).toBe(before)
    expect(await shown('shop.example')).toBe('CN=shop.example')
    await p.done('tls-site.remove', { domain: 'shop.example' }, { id: 9002 })
    expect(await shown('shop.example')).toBe('')
    await p.done('tls-site.remove', { domain: 'shop.example' }, { id: 9002, task: 'undo' })
    expect(await fingerprint()).toBe(before)
    expect((await p.sh('ls', '/etc/innkeeper/tls')).trim().split('\n')).toEqual([before])
  })

  test('many that are installed at once keep their keys, and a refused one leaves none', async () => {
    const domains = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `${name}.example`)
    for (const domain of domains) await p.website(domain)
    for (const round of [1, 2, 3]) {
      const certificates = []
      for (const domain of domains) certificates.push(await made(domain))
      const refused = await made(`nobody-${round}.example`)
      const ended = await Promise.all([
        ...certificates.map((one, n) => p.op('tls-site.ensure', { ...input(one, [domains[n]!]), domain: domains[n]! })),
        p.op('tls-site.ensure', { ...input(refused, ['shop.example']), privateKey: certificates[0]!.privateKey }),
      ])
      expect(ended.map(({ status, reason }) => reason ?? status)).toEqual([
        ...domains.map(() => 'done'),
        expect.stringContaining('not the key'),
      ])
      for (const domain of domains) expect(await shown(domain)).toBe(`CN=${domain}`)
    }
    for (const domain of domains) await p.done('tls-site.remove', { domain })
  })

  test('moves with a rename, and is present before a restored website is served', async () => {
    const both = await made('shop.example', 'new.example')
    await p.done('tls-site.ensure', input(both))
    const { root } = siteOf('shop.example')
    const site = { ...siteOf('shop.example'), root }
    const renamed = { ...site, domain: 'new.example', redirects: ['shop.example'], state: 'active' as const }
    const rename = { ...renamed, from: 'shop.example', beforeNames: { aliases: [] }, beforeRoot: root }
    await p.done('nginx-site.rename', rename, { id: 9101 })
    expect(await shown('new.example')).toBe('CN=shop.example')
    expect(await curl('https://shop.example/x')).toMatch(/^HTTP\/2 301[\s\S]*location: https:\/\/new.example\/x/i)
    await p.done('nginx-site.rename', rename, { id: 9101, task: 'undo' })
    expect(await shown('new.example')).toBe('')
    expect(await curl('https://shop.example/')).toMatch(/^HTTP\/2 200/)
    await p.done('nginx-site.remove', { ...site, keepDays: 1 })
    expect(await shown('shop.example')).toBe('')
    const { said } = await p.done('tls-site.ensure', input(both))
    expect(said.join()).toContain('not served yet')
    await p.done('nginx-site.ensure', siteOf('shop.example'))
    expect(await shown('shop.example')).toBe('CN=shop.example')
  })

  test('completes after a kill at any moment, while nginx always answers', async () => {
    const one = await made('shop.example')
    for (const ms of [20, 100, 200, 400]) {
      await p.killAfter(ms, 'tls-site.ensure', input(one))
      // HTTP/1.1: an old nginx worker that ends after a reload refuses a new HTTP/2 connection, and browsers ask again
      expect(await curl('--http1.1', 'https://shop.example/')).toMatch(/^HTTP\/1.1 200/)
    }
    await p.done('tls-site.ensure', input(one), { inspect: true })
    const { fingerprint } = (await p.done('tls-site.ensure', input(one))).output as { fingerprint: string }
    const der = await p.sh('openssl', 'x509', '-in', '/tmp/shop.example.pem', '-noout', '-fingerprint', '-sha256')
    expect(der.split('=')[1]?.trim().replaceAll(':', '').toLowerCase()).toBe(fingerprint)
  })

  test('distinguishes a website with an older file, without certificates, from one that shows a certificate', async () => {
    const file = '/etc/nginx/innkeeper/sites/shop.example.conf'
    const old = (await p.sh('cat', file)).replace(/^ {2}include .*\/(tls|https)\/.*\n/gm, '')
    writeFileSync(`${p.host.root}${file}`, old)
    await p.sh('systemctl', 'reload', 'nginx')
    const refused = await p.op('tls-site.ensure', input(await made('shop.example')))
    expect(refused.reason).toContain('shop.example shows none')
    await p.done('nginx-site.ensure', siteOf('shop.example'))
    await p.done('tls-site.ensure', input(await made('shop.example')))
  })
})
