import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { rootOf, siteOf } from './fixtures.ts'
import type { Host, Practice } from './practice.ts'
import { rulesCases } from './rulesCases.ts'

/** Tests of settings in which Apache differs from nginx, on a host that serves `first.example`. */
export function apacheCases(practice: () => Practice<Host>): void {
  rulesCases('apache', practice)

  const curl = async (...argv: string[]) => {
    const { host } = practice()
    const to = ['-sk', '-o', '/dev/null', '-D', '-', '--connect-to', `::${host.address}:`]
    return (await host.exec(['curl', ...to, ...argv])).stdout
  }
  /** A certificate made by openssl. */
  const certificate = async (name: string) => {
    const p = practice()
    const [key, pem] = [`/tmp/${name}.key`, `/tmp/${name}.pem`]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
    const of = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', pem]
    await p.sh('openssl', 'req', '-x509', ...kind, ...of)
    return { chain: await p.sh('cat', pem), privateKey: await p.sh('cat', key) }
  }
  const serve = async (domain: string, more: object = {}) => {
    await practice().done('document-root.ensure', rootOf(domain))
    await practice().done('apache-site.ensure', { ...siteOf(domain), ...more })
  }

  test('serves https over HTTP/2 with a certificate for its names only, redirects http, answers challenges; undo reverts', async () => {
    const p = practice()
    await p.done('acme-answer.ensure', { thumbprint: 'T'.repeat(43) })
    const one = { ...(await certificate('first.example')), domain: 'first.example', names: ['first.example'] }
    const wanted = { ...one, redirect: true, hsts: 86_400 }
    await p.done('tls-site.ensure', wanted, { id: 9001 })
    await p.done('web-proxies.ensure', { add: [p.host.address] })
    const secured = /^HTTP\/2 200[\s\S]*strict-transport-security: max-age=86400/i
    expect(await curl('--http2', 'https://first.example/')).toMatch(secured)
    expect(await curl('https://nobody.example/')).toBe('')
    for (const path of ['/', '/missing.php']) {
      const plain = await curl('-H', 'X-Forwarded-Proto: https', `http://first.example${path}`)
      expect(plain).toMatch(/^HTTP\/1.1 (200|404)[\s\S]*server: Apache\r/i)
      // an edge would forward these headers over HTTP/2, which forbids them
      expect(plain).not.toMatch(/upgrade|vary: x-/i)
    }
    expect((await p.get('first.example', '/missing.jpg/x.php')).body).not.toMatch(/apache|debian/i)
    const led = /^HTTP\/1.1 301[\s\S]*location: https:\/\/first.example\/a%20b\?c=%2Fd\r/i
    expect(await curl('http://first.example/a%20b?c=%2Fd')).toMatch(led)
    // an edge uses http to the origin for visitors who use https
    expect(await curl('-H', 'X-Forwarded-Proto: https', 'http://first.example/')).toMatch(/^HTTP\/1.1 200/)
    await p.done('web-proxies.ensure', { only: [] })
    expect(await curl('-H', 'X-Forwarded-Proto: https', 'http://first.example/')).toMatch(/^HTTP\/1.1 301/)
    const answer = { status: 200, body: `abc_-123.${'T'.repeat(43)}` }
    for (const name of ['first.example', 'not-yet.example'])
      expect(await p.get(name, '/.well-known/acme-challenge/abc_-123')).toEqual(answer)
    await p.done('apache-site.ensure', { ...siteOf('first.example'), state: 'suspended', before: 'active' })
    expect(await curl('https://first.example/')).toMatch(/^HTTP\/2 503/)
    await p.done('apache-site.ensure', siteOf('first.example'))
    await p.done('tls-site.ensure', wanted, { id: 9001, task: 'undo' })
    expect(await curl('https://first.example/')).toBe('')
    expect(await curl('http://first.example/')).toMatch(/^HTTP\/1.1 200/)
  })

  test('prefers exact names to wildcards and longer wildcards to shorter ones, whatever the file names', async () => {
    await serve('a-star.example', { aliases: ['*.a-star.example'] })
    await serve('z.a-star.example', { aliases: ['*.z.a-star.example'] })
    await serve('sent.example', { redirects: ['old.a-star.example', '*.sent-on.example'] })
    const shown = async (name: string) => /<h1>(.*)<\/h1>/.exec((await practice().get(name)).body)?.[1]
    expect(await shown('x.a-star.example')).toBe('a-star.example')
    expect(await shown('z.a-star.example')).toBe('z.a-star.example')
    expect(await shown('deep.z.a-star.example')).toBe('z.a-star.example')
    for (const name of ['old.a-star.example', 'any.sent-on.example'])
      expect(await curl(`http://${name}/a%2Fb?c`)).toMatch(/ 301 [\s\S]*location: http:\/\/sent.example\/a%2Fb\?c\r/i)
  })

  test('hides a staging copy, shows a page during its move, and then forwards requests unchanged', async () => {
    const p = practice()
    await serve('copy.example', { noindex: true })
    expect(await curl('http://copy.example/')).toMatch(/x-robots-tag: noindex/i)
    expect((await p.get('copy.example', '/robots.txt')).body).toContain('Disallow: /')
    await p.done('apache-site.ensure', { ...siteOf('copy.example'), state: 'moving', before: 'active' })
    expect(await curl('http://copy.example/')).toMatch(/ 503 [\s\S]*retry-after: 5\r/i)
    const moved = { ...siteOf('copy.example'), state: 'moved', before: 'moving', movedTo: p.host.gateway } as const
    expect(await p.op('apache-site.ensure', moved)).toMatchObject({ status: 'failed' })
    expect((await p.get('copy.example')).status).toBe(503)
    const there = createServer(({ url, headers }, answer) => {
      answer.statusCode = 418
      answer.end(`${headers.host} ${headers['x-forwarded-proto']} ${url}`)
    }).listen(80, p.host.gateway)
    await p.done('apache-site.ensure', moved)
    expect(await p.get('copy.example', '/a%2Fb?c=%20')).toEqual({ status: 418, body: 'copy.example http /a%2Fb?c=%20' })
    // forwards X-Forwarded-Proto only as an edge sends it, and ignores other values
    const said = (proto: string) =>
      p.sh('curl', '-s', '-H', 'Host: copy.example', '-H', `X-Forwarded-Proto: ${proto}`, 'http://127.0.0.1/')
    expect(await said('https')).toBe('copy.example http /')
    await p.done('web-proxies.ensure', { only: ['127.0.0.1'] })
    expect(await said('https')).toBe('copy.example https /')
    for (const word of ['gopher', 'https, http', 'HTTPS']) expect(await said(word)).toBe('copy.example http /')
    await p.done('web-proxies.ensure', { only: [] })
    there.close()
  })

  test('renames the logs with the website, and writes them in the format of nginx', async () => {
    const p = practice()
    await serve('before.example')
    const root = rootOf('before.example').path
    const to = { ...siteOf('after.example'), root, redirects: ['before.example'] }
    const rename = { ...to, from: 'before.example', beforeNames: { aliases: [] }, beforeRoot: root }
    await p.done('apache-site.rename', rename, { id: 9101 })
    const { output } = await p.done('website.log-lines', { domain: 'after.example', kind: 'access', lines: 1 })
    const line =
      /^127\.0\.0\.1 - - \[\d\d\/\w{3}\/\d{4}:[\d:]{8} \+0000\] "GET \/\S* HTTP\/1\.1" \d{3} \d+ "-" "Innkeeper"$/
    expect(output).toEqual({ lines: [expect.stringMatching(line)] })
    expect(await p.sh('ls', '/var/log/apache2')).not.toContain('before.example')
    await p.done('apache-site.rename', rename, { id: 9101, task: 'undo' })
    expect((await p.get('before.example')).status).toBe(200)
  })

  test('detects a foreign file that would stop Apache at a reload', async () => {
    const p = practice()
    for (const name of ['one.example', 'two.example']) await certificate(name)
    const lines = [
      'SSLEngine On',
      'SSLCertificateFile /tmp/one.example.pem',
      'SSLCertificateKeyFile /tmp/two.example.key',
    ]
    const file = '/etc/apache2/sites-enabled/by-hand.conf'
    await p.sh('sh', '-c', `printf '%s\\n' '<VirtualHost *:443>' '${lines.join("' '")}' '</VirtualHost>' >${file}`)
    const changed = { ...siteOf('first.example'), aliases: ['www.first.example'] }
    const refused = await p.op('apache-site.ensure', changed)
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('do not match') })
    expect((await p.get('first.example')).status).toBe(200)
    await p.sh('rm', file)
    await p.done('apache-site.ensure', changed)
  })

  test('keeps its ports while it serves a website, and returns them to nginx on undo', async () => {
    const p = practice()
    const failed = (reason: string) => ({ status: 'failed', reason: expect.stringContaining(reason) })
    expect(await p.op('nginx-site.ensure', siteOf('first.example'))).toMatchObject(failed('served by Apache'))
    expect(await p.op('nginx.ensure', {})).toMatchObject(failed('serves websites'))
    await p.sh('sh', '-c', 'rm /etc/apache2/innkeeper/sites/*')
    await p.done('apache.ensure', {}, { id: p.provisioned, task: 'undo' })
    expect((await p.get('first.example')).status).toBe(0)
    expect(await p.sh('systemctl', 'is-active', 'nginx')).toBe('active\n')
    expect((await p.host.exec(['systemctl', 'is-active', 'apache2'])).stdout).toBe('inactive\n')
    expect((await p.done('nginx.ensure', {}, { inspect: true })).output).toEqual({ inspected: true })
  })
}
