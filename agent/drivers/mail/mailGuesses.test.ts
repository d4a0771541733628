import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { failureIn } from './mailGuesses.ts'
import { domainOf, user } from './test/mail.ts'

describe('a message of Dovecot', () => {
  const read = (MESSAGE: unknown, more = {}) =>
    failureIn(
      JSON.stringify({ MESSAGE, SYSLOG_IDENTIFIER: 'dovecot', __REALTIME_TIMESTAMP: '1700000000900000', ...more }),
    )
  const told = (who: string) => `auth: passwd-file(${who}): unknown user (SHA1 of given password: a4)`

  test('tells the address of a failed sign-in', () => {
    expect(read(told('kari@post.example,2001:db8::7,<x8VGmjdh1LoKTb8L>'))).toMatchObject({
      ...{ user: 'kari@post.example', address: '2001:db8::7', at: 1_700_000_000 },
    })
    expect(read(told('kari@post.example,192.0.2.7'))).toMatchObject({ address: '192.0.2.7' })
    expect(read(told('a@b.example,192.0.2.7'))?.pair).not.toBe(read(told('c@b.example,192.0.2.7'))?.pair)
  })

  test('counts nothing that a client has written, of a passdb before the last one, or of another program', () => {
    for (const forged of [
      told('kari@post.example,192.0.2.7) x(a,198.51.100.9'),
      told('kari,198.51.100.9,192.0.2.7'),
      `imap-login: Disconnected: user=<${told('a,198.51.100.9')}>, rip=192.0.2.7`,
      `${told('kari,192.0.2.7')} - trying the next passdb`,
      `${told('kari,192.0.2.7')}\n`,
      [97, 117, 116, 104],
    ])
      expect(read(forged)).toBeUndefined()
    expect(read(told('kari,192.0.2.7'), { SYSLOG_IDENTIFIER: 'other' })).toBeUndefined()
    expect(failureIn('')).toBeUndefined()
  })
})

const dovecot = ['core', 'imapd', 'pop3d', 'lmtpd', 'sieve'].map((name) => `dovecot-${name}`)
const packages = [...dovecot, 'postfix', 'ssl-cert', 'nftables']
const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'guesses' : `guesses (${verdict.reason})`, () => {
  let p: Practice<Host>
  let guesser: Practice<Host>
  beforeAll(async () => {
    const lab = await openLab({ dir: labDir })
    p = await practice(lab, 'guessed', 'mail')
    guesser = await practice(lab, 'guesser', 'mail')
    await p.done('packages.ensure', { packages })
    await guesser.done('packages.ensure', { packages: ['swaks', 'curl', 'libnet-ssleay-perl'] })
    await p.done('postfix.ensure', {})
    await p.done('dovecot.ensure', {})
    await p.done('mail-domain.ensure', domainOf({ users: [user(11, 'kari'), user(12, 'lars', { state: 'disabled' })] }))
    await p.sh('sleep', '1.1') // sign-ins in the second of a change do not count
  })
  afterAll(async () => {
    await guesser?.host.wipe()
    await p?.end()
  })

  const kari = 'kari@post.example'
  const fetch = async (scheme: string, who: string, password: string) => {
    const tls = scheme.endsWith('s') ? [] : ['--ssl-reqd']
    const login = ['-u', `${who}:${password}`, `${scheme}://${p.host.address}/`]
    return (await guesser.host.exec(['curl', '-sSk', '-m', '12', ...tls, ...login])).code
  }
  const send = async (password: string, port = '587') => {
    const { stdout } = await guesser.host.exec([
      ...['swaks', '--server', p.host.address, '--port', port, port === '465' ? '--tlsc' : '--tls', '--timeout', '8'],
      ...['--auth', 'PLAIN', '--auth-user', kari, '--auth-password', password, '--from', kari, '--to', kari],
    ])
    return stdout
  }
  const guesses = async (since = 0) => (await p.done('mail-guesses.read', { since })).output as Answer
  interface Answer {
    until: number
    guesses: { address: string; pairs: string[] }[]
  }
  const pairsOf = async () =>
    (await guesses()).guesses.find(({ address }) => address === guesser.host.address)?.pairs ?? []
  const [LOGIN_DENIED, TIMED_OUT] = [67, 28]

  test('a right password is taken at once after four wrong ones, and a wrong one is answered 535', async () => {
    for (const n of [1, 2, 3, 4]) expect(await send(`wrong ${n}`)).toMatch(/535 5\.7\.8/)
    expect(await send('secret of kari')).toMatch(/250 2\.0\.0 Ok: queued/)
    await expect.poll(pairsOf).toHaveLength(4) // Dovecot writes its log through another process
  })

  test('counts each wrong pair of user and password once, on all ports, also of unknown mailboxes', async () => {
    const before = (await pairsOf()).length
    expect(await send('wrong on 465', '465')).toMatch(/535 5\.7\.8/)
    for (const [scheme, who] of [
      ...[
        ['imap', kari] as const,
        ['imaps', 'nobody@post.example'] as const,
        ['pop3', 'kari@elsewhere.example'] as const,
      ],
      ...[['pop3s', 'kari'] as const, ['imap', kari] as const],
    ])
      expect([scheme, await fetch(scheme, who, 'wrong')]).toEqual([scheme, LOGIN_DENIED])
    expect(await fetch('imaps', 'a>, rip=198.51.100.9, lip=(x,198.51.100.9', 'wrong')).toBe(LOGIN_DENIED)
    // right ones: of the mailbox, of an application, and of a disabled mailbox
    for (const word of ['secret of kari', 'tablet of kari']) expect(await fetch('imaps', kari, word)).toBe(0)
    expect(await fetch('imaps', 'lars@post.example', 'secret of lars')).toBe(LOGIN_DENIED)
    await expect.poll(pairsOf).toHaveLength(before + 5)
    expect((await guesses()).guesses.map(({ address }) => address)).not.toContain('198.51.100.9')
    const { until } = await guesses()
    expect((await guesses(until + 1)).guesses.length).toBeLessThanOrEqual(2) // the future: the clock was set back
    await p.sh('sleep', '1.1')
    expect((await guesses((await guesses()).until)).guesses).toEqual([])
  })

  test('a ban drops all mail ports but 25, after a restart of nftables, of Dovecot and of the server, until it is lifted', async () => {
    const set = 'mail-guessers'
    const ports = [110, 143, 465, 587, 993, 995, 4190]
    const banned = { first: guesser.host.address, last: guesser.host.address, until: 0 }
    const all = (elements: (typeof banned)[]) => [
      { first: '0.0.0.0', last: '255.255.255.255', elements },
      { first: '::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', elements: [] },
    ]
    const ensure = (change: number, elements: (typeof banned)[], more = {}) =>
      p.done('ip-set.ensure', { set, change, whole: true, ports, parts: all(elements), ...more })
    const answers = async (port: number) =>
      (await guesser.host.exec(['timeout', '2', 'bash', '-c', `exec 3<>/dev/tcp/${p.host.address}/${port}`])).code === 0
    const open = async () => {
      const found = await Promise.all(
        [25, 110, 143, 465, 587, 993, 995].map(async (port) => [port, await answers(port)]),
      )
      return found.flatMap(([port, does]) => (does ? [port] : []))
    }
    await ensure(1, [banned])
    expect(await open()).toEqual([25])
    expect(await fetch('imaps', kari, 'secret of kari')).toBe(TIMED_OUT)
    await p.sh('systemctl', 'restart', 'nftables')
    await p.sh('systemctl', 'restart', 'dovecot')
    expect(await open()).toEqual([25])
    // the same entries with other ports
    await ensure(2, [banned], { ports: [143] })
    expect(await open()).toEqual([25, 110, 465, 587, 993, 995])
    await ensure(3, [])
    await expect.poll(() => fetch('imaps', kari, 'secret of kari')).toBe(0)
    await ensure(4, [banned])
    await p.host.off()
    await p.host.up()
    const { stdout } = await p.host.exec(['nft', 'list', 'table', 'inet', 'innkeeper'])
    expect(stdout).toContain('@mail-guessers_v4 tcp dport { 110, 143, 465, 587, 993, 995, 4190 }')
    expect(stdout).toContain(`elements = { ${guesser.host.address} }`)
    await p.done('ip-set.remove', { set })
  })
})
