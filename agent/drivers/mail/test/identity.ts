import { expect, test } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'
import { clientsOf, kari, lars, nextTitle, ofKari, ofLars } from './clients.ts'
import { domainOf, hashes, user } from './mail.ts'
import { openSink } from './sending.ts'

/** Tests of who may send as whom, on the host of `mail.test.ts`. */
export function identityTests(of: () => Practice<Host>) {
  const { arrive, submit, found, arrives, maySignIn } = clientsOf(of)
  const florist = 'kari@florist.example'
  const as = (username: string, argv: readonly string[], input?: string) =>
    of().host.exec(['runuser', '-u', username, '--', ...argv], input === undefined ? {} : { input })
  /** Sends by the sendmail program. Answers the subject. */
  const bySendmail = async (username: string, from: string, header = from) => {
    const title = nextTitle('identity')
    const letter = `From: ${header}\nTo: ${kari}\nSubject: ${title}\n\nHello\n`
    await as(username, ['/usr/sbin/sendmail', '-f', from, kari], letter)
    return title
  }
  const bySmtp = async (username: string, from: string, ...more: string[]) => {
    const swaks = ['swaks', '--server', '127.0.0.1', '--from', from, '--to', kari, ...more]
    return (await as(username, swaks)).stdout
  }
  const signersOf = async (title: string) => {
    await arrives(kari, ofKari, title)
    const fetched = await of().sh('doveadm', 'fetch', '-u', kari, 'hdr', 'mailbox', 'INBOX', 'subject', title)
    return [...fetched.matchAll(/DKIM-Signature:[^:]*?\sd=([a-z.]+);/g)].map(([, domain]) => domain)
  }
  const waiting = async () => JSON.stringify((await of().done('mail-queue.read', { most: 200 })).output)
  const hourly = { own: 1000, together: 1000 }
  const limits = (domains: { domain: string; ownerId?: number }[]) =>
    of().done('mail-limits.ensure', {
      accounts: [
        { accountId: 90, ...hourly, ownerId: 1, username: 'bakery' },
        { accountId: 92, ...hourly, ownerId: 1, username: 'cafe' },
        { accountId: 91, ...hourly, ownerId: 2, username: 'florist' },
      ],
      others: { own: 200, together: 1000 },
      domains,
    })
  const owned = [
    { domain: 'post.example', ownerId: 1 },
    { domain: 'florist.example', ownerId: 2 },
  ]

  test('a website sends as mail domains of its owner alone, and its mail is signed', async () => {
    const names = ['bakery', 'cafe', 'florist', 'newcomer']
    for (const [n, name] of names.entries()) await of().sh('useradd', '--uid', `${4720 + n}`, name)
    for (const domain of ['post.example', 'florist.example'])
      await of().done('mail-key.ensure', { domain, selector: 'k1' })
    await of().done('mail-domain.ensure', domainOf({ accountId: 90, selector: 'k1' }))
    const other = { ...domainOf({ mailboxId: 2, domain: 'florist.example', accountId: 91, selector: 'k1' }) }
    const passwords = JSON.stringify({ 21: hashes[11] })
    await of().done('mail-domain.ensure', { ...other, users: [user(21, 'kari')], passwords })
    await limits(owned)
    // rspamd looks for changed selectors once a second
    await expect.poll(async () => signersOf(await bySendmail('bakery', kari))).toEqual(['post.example'])
    // both accounts of the owner send by sendmail and over SMTP
    for (const username of ['bakery', 'cafe']) {
      expect(await signersOf(await bySendmail(username, kari))).toEqual(['post.example'])
      const title = nextTitle('identity')
      const sent = await bySmtp(username, kari, '--header', `Subject: ${title}`)
      expect(sent).toMatch(/250 2\.0\.0 Ok: queued/)
      expect(await signersOf(title)).toEqual(['post.example'])
    }
    // as a domain that is elsewhere, as its own account, and programs of the server as anybody
    expect(await signersOf(await bySendmail('bakery', 'info@far.example'))).toEqual([])
    expect(await signersOf(await bySendmail('bakery', 'bakery'))).toEqual([])
    expect(await signersOf(await bySendmail('root', florist))).toEqual(['florist.example'])
    // as a mailbox of another owner
    const refused = await bySendmail('bakery', florist)
    await expect.poll(waiting).toContain('The website account bakery may not send as florist.example')
    expect(await found(kari, ofKari, refused)).toBe('')
    await of().sh('postsuper', '-d', 'ALL')
    for (const from of [florist, 'Nobody@Florist.Example', 'kari@florist.example.'])
      expect([from, await bySmtp('bakery', from)]).toEqual([
        from,
        expect.stringMatching(/553 5\.7\.1 .*bakery may not/),
      ])
    expect(await bySmtp('bakery', florist, '--local-interface', '127.0.0.2')).toContain('553 5.7.1')
    for (const from of ['<>', 'kari%florist.example', 'florist.example!kari'])
      expect([from, await bySmtp('bakery', from, '--h-From', florist)]).toEqual([
        from,
        expect.stringMatching(/550 5\.7\.1 .*names a sender/),
      ])
    // whom nobody knows yet
    expect(await bySmtp('newcomer', kari)).toMatch(/450 4\.7\.1 .*owner of newcomer is not known/)
    // a From header of another domain than the sender's is not signed
    expect(await signersOf(await bySendmail('bakery', kari, florist))).toEqual([])
    expect(await signersOf(await bySendmail('bakery', '<>', florist))).toEqual([])
    expect(await signersOf(await bySendmail('bakery', '<>', kari))).toEqual([])
    // mail domains of nobody, and those that came this second
    await limits([{ domain: 'post.example' }])
    expect(await bySmtp('bakery', kari)).toMatch(/553 5\.7\.1 .*post\.example belongs to no website/)
    expect(await bySmtp('bakery', florist)).toMatch(/450 4\.7\.1 .*owner of florist\.example is not known/)
    await limits(owned)
  })

  test('asks rspamd for no account but that of Postfix', async () => {
    for (const port of ['11332', '11333', '11334'])
      expect([port, (await as('bakery', ['curl', '-sS', `http://127.0.0.1:${port}/ping`])).stderr]).toEqual([
        port,
        expect.stringContaining('Failed to connect'),
      ])
    for (const socket of ['/run/rspamd/scan.sock', '/var/spool/postfix/rspamd/milter.sock']) {
      expect(await of().sh('stat', '--format=%F', socket)).toBe('socket\n')
      const { stderr } = await as('bakery', ['curl', '-sS', '--unix-socket', socket, 'http://localhost/ping'])
      expect([socket, stderr]).toEqual([socket, expect.stringContaining('Failed to connect')])
    }
  })

  test('whoever signs in is signed for their own domain only; automatic replies are signed', async () => {
    await maySignIn(florist, ofKari).toBe(true)
    expect((await submit(florist, ofKari, kari, '--from', kari)).stdout).toContain('553 5.7.1')
    for (const from of [florist, '<>']) {
      const { title, stdout } = await submit(florist, ofKari, kari, '--from', from, '--h-From', kari)
      expect(stdout).toMatch(/250 2\.0\.0 Ok: queued/)
      expect([from, await signersOf(title)]).toEqual([from, []])
    }
    expect(await signersOf((await submit(florist, ofKari, kari)).title)).toEqual(['florist.example'])
    const autoReply = { subject: 'away until Monday', text: 'I am away' }
    await of().done(
      'mail-domain.ensure',
      domainOf({ accountId: 90, selector: 'k1', users: [user(11, 'kari'), user(12, 'lars', { autoReply })] }),
    )
    await submit(kari, ofKari, lars)
    expect(await signersOf('away until Monday')).toEqual(['post.example'])
  })

  test('a stranger who writes as a mailbox of this server gets no sender of it by a forward', async () => {
    const sink = await openSink(of().host.gateway)
    try {
      const forwards = user(12, 'lars', { forwards: ['friend@far.example'] })
      await of().done('mail-domain.ensure', domainOf({ users: [user(11, 'kari'), forwards], selector: 'k1' }))
      const hosts = `echo '${of().host.gateway} far.example' >> /etc/hosts; cp /etc/hosts /var/spool/postfix/etc/hosts`
      await of().sh('sh', '-c', hosts)
      await of().sh('postconf', '-e', 'smtp_dns_support_level = disabled')
      await of().sh('postfix', 'reload')
      const { title } = await arrive(lars, '--from', florist, '--h-From', florist)
      await expect.poll(() => sink.about(title)?.from).toMatch(/^SRS0=.*=florist\.example=kari@post\.example$/)
      expect(sink.about(title)?.text).not.toContain('DKIM-Signature')
      const own = await submit(florist, ofKari, lars)
      await expect.poll(() => sink.about(own.title)?.from).toBe(florist)
      const script = nextTitle('identity')
      await bySmtp('florist', florist, '--to', lars, '--h-From', florist, '--header', `Subject: ${script}`)
      await expect.poll(() => sink.about(script)?.from).toBe(florist)
      expect((await arrive('florist@localhost')).stdout).toMatch(/554 5\.7\.1 .*Access denied/)
    } finally {
      sink.close()
      await of().done('postfix.ensure', {})
      await of().done('mail-domain.remove', { mailboxId: 2, domain: 'florist.example', keepDays: 1 })
      await of().done('mail-limits.ensure', { accounts: [], others: { own: 200, together: 1000 } })
      await of().done('mail-domain.ensure', domainOf())
    }
    expect((await submit(lars, ofLars, kari)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
  })
}
