import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../test/certificates.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { domainOf } from './test/mail.ts'

const packages = [
  'postfix',
  'dovecot-core',
  'dovecot-imapd',
  'dovecot-pop3d',
  'dovecot-lmtpd',
  'ssl-cert',
  'nginx',
  'apache2',
]
const autoconfig = '/mail/config-v1.1.xml'
const autodiscover = '/autodiscover/autodiscover.xml'
const asked = (address: string) =>
  `<?xml version="1.0"?><Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006"><Request><EMailAddress>${address}</EMailAddress></Request></Autodiscover>`

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'mail settings' : `mail settings (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'settings', 'mail')
    await p.done('packages.ensure', { packages })
    await p.done('postfix.ensure', {})
    await p.done('dovecot.ensure', {})
  })
  afterAll(() => p?.end())

  /** Asks as a mail program does, by name. */
  const curl = async (url: string, ...more: string[]) => {
    const { hostname } = new URL(url)
    const at = [80, 443].flatMap((port) => ['--resolve', `${hostname}:${port}:${p.host.address}`])
    const { stdout } = await p.host.exec([
      ...[
        'curl',
        '-sS',
        '--cacert',
        '/tmp/mail.post.example.pem',
        '-w',
        '\n%{http_code} %{content_type} %{redirect_url}',
      ],
      ...[...at, url, ...more],
    ])
    const lines = stdout.split('\n')
    return { text: lines.slice(0, -1).join('\n'), said: lines.at(-1) ?? '' }
  }
  const post = (host: string, address: string) =>
    curl(`https://${host}${autodiscover}`, '-H', 'Content-Type: text/xml', '-d', asked(address))
  const takesCertificate = async (...names: string[]) => {
    const one = await made(p, 'mail.post.example', ...names)
    const { said } = await p.done('mail-tls.ensure', { mailboxId: 1, domain: 'post.example', ...one })
    expect(said.join()).not.toContain('do not find')
  }

  test('mail works on a server without a web server', async () => {
    const { said } = await p.done('mail-domain.ensure', domainOf())
    expect(said.join()).toContain('no web server is set up here')
  })

  test('Thunderbird finds its settings, also of a second domain, until that domain is removed', async () => {
    await p.done('nginx.ensure', {})
    await p.done('mail-domain.ensure', domainOf())
    await p.done('mail-domain.ensure', {
      ...domainOf({ mailboxId: 2, domain: 'second.example', users: [] }),
      passwords: '{}',
    })
    for (const domain of ['post.example', 'second.example'])
      for (const path of [autoconfig, `/.well-known/autoconfig${autoconfig}`]) {
        const { text, said } = await curl(`http://autoconfig.${domain}${path}?emailaddress=kari@${domain}`)
        expect(said).toMatch(/^200 text\/xml/)
        expect(text).toContain(`<hostname>mail.${domain}</hostname><port>993</port><socketType>SSL</socketType>`)
        expect(text).toContain('<username>%EMAILADDRESS%</username>')
      }
    await p.done('mail-domain.remove', { mailboxId: 2, domain: 'second.example', keepDays: 1 })
    expect((await curl(`http://autoconfig.second.example${autoconfig}`)).said).toMatch(/^000/)
    expect((await curl('http://autoconfig.post.example/elsewhere')).said).toMatch(/^404/)
  })

  test('Outlook is led to the mail host, and gets the whole address as the name to sign in with', async () => {
    await takesCertificate()
    const { said } = await curl(`http://autodiscover.post.example${autodiscover}`)
    expect(said).toBe(`302 text/html https://mail.post.example${autodiscover}`)
    const answer = await post('mail.post.example', 'kari@post.example')
    expect(answer.said).toMatch(/^200 text\/xml/)
    expect(answer.text.match(/<Type>\w+<\/Type><Server>[\w.]+<\/Server><Port>\d+/g)).toEqual([
      '<Type>IMAP</Type><Server>mail.post.example</Server><Port>993',
      '<Type>POP3</Type><Server>mail.post.example</Server><Port>995',
      '<Type>SMTP</Type><Server>mail.post.example</Server><Port>465',
    ])
    expect(answer.text).toContain('<LoginName>kari@post.example</LoginName>')
    for (const wrong of ['', 'no address', `a<b>@post.example`, 'x"y@post.example'])
      expect((await post('mail.post.example', wrong)).said).toMatch(/^400/)
    expect((await curl(`https://autoconfig.post.example${autoconfig}`)).said).toMatch(/^000/)
    await takesCertificate('autoconfig.post.example', 'autodiscover.post.example', 'mta-sts.post.example')
    expect((await curl(`https://autoconfig.post.example${autoconfig}`)).said).toMatch(/^200/)
    expect((await post('autodiscover.post.example', 'kari@post.example')).said).toMatch(/^200/)
  })

  const policyIsServed = async () => {
    const { text, said } = await curl('https://mta-sts.post.example/.well-known/mta-sts.txt')
    expect(said).toMatch(/^200 text\/plain/)
    expect(text).toBe('version: STSv1\nmode: enforce\nmx: mail.post.example\nmax_age: 86400\n')
  }

  test('other mail servers find the policy that requires TLS', async () => {
    await policyIsServed()
    expect((await curl('http://mta-sts.post.example/.well-known/mta-sts.txt')).said).toMatch(/^404/)
  })

  test('a website of the same name takes precedence', async () => {
    await p.sh(
      'sh',
      '-c',
      'printf "server { include innkeeper/listen.conf; server_name mail.post.example; return 200 webmail; }" >/etc/nginx/innkeeper/sites/mail.post.example.conf',
    )
    await p.sh('systemctl', 'reload', 'nginx')
    await expect.poll(async () => (await curl('http://mail.post.example/')).text).toBe('webmail')
    expect((await curl(`http://autoconfig.post.example${autoconfig}`)).said).toMatch(/^200/)
    await p.sh('rm', '/etc/nginx/innkeeper/sites/mail.post.example.conf')
  })

  test('a web server that refuses the configuration does not block mail', async () => {
    await p.sh('sh', '-c', 'echo nonsense >/etc/nginx/conf.d/by-hand.conf')
    const { said } = await p.done(
      'mail-domain.ensure',
      domainOf({ mailboxId: 3, domain: 'third.example', passwords: '{}' }),
    )
    expect(said.join()).toMatch(/do not find changed settings: .*by-hand\.conf/)
    await p.sh('rm', '/etc/nginx/conf.d/by-hand.conf')
    await p.done('mail-domain.ensure', domainOf({ mailboxId: 3, domain: 'third.example', passwords: '{}' }))
    expect((await curl(`http://autoconfig.third.example${autoconfig}`)).said).toMatch(/^200/)
  })

  test('Apache serves them as well', async () => {
    await p.done('apache.ensure', {})
    const { said: log } = await p.done('mail-domain.ensure', domainOf())
    expect(log.join()).not.toContain('do not find')
    const { text, said } = await curl(`https://autoconfig.post.example${autoconfig}`)
    expect([said, text]).toEqual([expect.stringMatching(/^200 text\/xml/), expect.stringContaining('<port>993</port>')])
    expect((await curl(`http://autoconfig.post.example/.well-known/autoconfig${autoconfig}`)).said).toMatch(/^200/)
    expect((await post('mail.post.example', 'kari@post.example')).said).toMatch(/^404/)
    await policyIsServed()
  })
})
