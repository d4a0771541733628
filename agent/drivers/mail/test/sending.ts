import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'
import { clientsOf, kari, lars, nextTitle, ofKari, ofLars } from './clients.ts'
import { domainOf, hashes, user } from './mail.ts'

interface Senders {
  mark: string
  senders: { sender: string; hour: number; refused: number; day: number; stopped?: { tried: number } }[]
}

/** Tests of outgoing mail, on the host of `mail.test.ts`. */
export function sendingTests(of: () => Practice<Host>) {
  const { arrive, submit, imap, found, arrives, maySignIn } = clientsOf(of)
  const senderOf = async (name: string) => {
    const { senders } = (await of().done('mail-senders.read', {})).output as Senders // the driver's output
    return senders.find(({ sender }) => sender === name)
  }
  const queue = async () =>
    (await of().done('mail-queue.read', { most: 200 })).output as {
      items: { queue: string; sender: string; recipients: { address: string; why: string | null }[] }[]
    } // the driver's output

  test('limits the recipients an hour of an account, over its mailboxes and mail domains', async () => {
    const limited = { accountId: 77, accountLimit: 3 }
    await of().done('mail-domain.ensure', domainOf(limited))
    const second = { ...domainOf(limited), mailboxId: 2, domain: 'second.example', users: [user(21, 'kari')] }
    await of().done('mail-domain.ensure', { ...second, passwords: JSON.stringify({ 21: hashes[11] }) })
    const other = 'kari@second.example'
    await maySignIn(other, ofKari).toBe(true)
    for (const [who, word] of [
      [kari, ofKari],
      [lars, ofLars],
      [other, ofKari],
    ] as const)
      expect((await submit(who, word, kari)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    for (const [who, word] of [
      [lars, ofLars],
      [other, ofKari],
    ] as const)
      expect((await submit(who, word, kari)).stdout).toContain('450 4.7.1 <END-OF-MESSAGE>')
    await of().done('mail-domain.remove', { mailboxId: 2, domain: 'second.example', keepDays: 1 })
    await of().done('mail-domain.ensure', domainOf())
  })

  test('limits the recipients an hour, also of an address that is longer than the name of a file', async () => {
    const far = `${'l'.repeat(60)}.${'m'.repeat(60)}.example`
    const name = 'n'.repeat(60)
    const limited = user(31, name, { hourlyLimit: 1 })
    const long = { ...domainOf({ mailboxId: 3, domain: far, users: [limited] }) }
    await of().done('mail-domain.ensure', { ...long, passwords: JSON.stringify({ 31: hashes[11] }) })
    await maySignIn(`${name}@${far}`, ofKari).toBe(true)
    expect((await submit(`${name}@${far}`, ofKari, kari)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    expect((await submit(`${name}@${far}`, ofKari, kari)).stdout).toContain('450 4.7.1')
    await of().done('mail-domain.remove', { mailboxId: 3, domain: far, keepDays: 1 })
    await of().done('mail-domain.ensure', domainOf({ users: [user(11, 'kari'), user(13, 'mini', { hourlyLimit: 2 })] }))
    const ofMini = 'secret of mini'
    const mini = 'mini@post.example'
    for (const _ of [1, 2]) expect((await submit(mini, ofMini, kari)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    expect((await submit(mini, ofMini, kari)).stdout).toContain('450 4.7.1')
    expect((await submit(kari, ofKari, mini)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    await of().done('mail-domain.ensure', domainOf())
  })

  test('stops a mailbox that goes on beyond its usual limit; lifting the stop sends what was held', async () => {
    const nina = 'nina@post.example'
    const passwords = JSON.stringify({ ...hashes, 15: hashes[11] })
    const others = { own: 200, together: 1000 }
    const accounts = [{ accountId: 78, own: 5, together: 1000 }]
    const { output } = await of().done('mail-limits.ensure', { accounts, others })
    expect(output).toEqual({ mark: ((await of().done('mail-senders.read', {})).output as Senders).mark })
    await of().done(
      'mail-domain.ensure',
      domainOf({ accountId: 78, users: [user(11, 'kari'), user(12, 'lars'), user(15, 'nina')], passwords }),
    )
    await maySignIn(nina, ofKari).toBe(true)
    await of().sh('postconf', '-e', 'defer_transports = smtp')
    await of().sh('postfix', 'reload')
    const far = 'somebody@far.example'
    expect((await submit(nina, ofKari, far)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    const all = Array.from({ length: 30 }, (_, n) => `reader${n}@far.example`).join(',')
    expect((await submit(nina, ofKari, all)).stdout).toContain('450 4.7.1')
    expect((await submit(nina, ofKari, far)).stdout).toMatch(/554 5\.7\.1 .*stopped/)
    expect((await submit(kari, ofKari, lars)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    expect(await senderOf(nina)).toMatchObject({ hour: 1, refused: 31, stopped: { tried: 31 } })
    await of().done('mail-sender.act', { sender: nina, act: 'hold' })
    const ofNinaQueued = async () => (await queue()).items.find(({ sender }) => sender === nina)?.queue
    expect(await ofNinaQueued()).toBe('hold')
    await of().done('mail-sender.act', { sender: nina, act: 'send' })
    await expect.poll(ofNinaQueued).toMatch(/active|deferred|incoming/)
    expect((await submit(nina, ofKari, far)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    expect(await senderOf(nina)).toMatchObject({ hour: 1, refused: 0 })
    await of().done('mail-sender.act', { sender: nina, act: 'delete' })
    expect(await ofNinaQueued()).toBeUndefined()
    await of().done('postfix.ensure', {})
    // mail of its own domain leaves as it is
    expect((await of().host.exec(['grep', '-c', 'innkeeper-forward', '/var/log/innkeeper-mail.log'])).stdout).toBe(
      '0\n',
    )
  })

  test('counts what programs of a website send, by sendmail and by SMTP over loopback', async () => {
    await of().sh('useradd', '--uid', '4711', 'shop')
    const accounts = [{ accountId: 79, own: 2, together: 1000, username: 'shop' }]
    await of().done('mail-limits.ensure', { accounts, others: { own: 200, together: 1000 } })
    const send = async (title: string) =>
      of().host.exec(['runuser', '-u', 'shop', '--', '/usr/sbin/sendmail', '-f', 'forged@far.example', kari], {
        input: `Received: by forged (Postfix, from userid 0)\nSubject: ${title}\n\nHello\n.\n`,
      })
    const titles = [1, 2].map(() => nextTitle('script'))
    for (const title of titles) await send(title)
    for (const title of titles) await arrives(kari, ofKari, title)
    const third = nextTitle('script')
    await send(third)
    const waiting = async () => JSON.stringify((await queue()).items)
    await expect.poll(waiting).toContain('This website account shop may write to 2 recipients an hour')
    expect(await found(kari, ofKari, third)).toBe('')
    const bySmtp = async (...more: string[]) => {
      const as = ['runuser', '-u', 'shop', '--']
      const swaks = ['swaks', '--server', '127.0.0.1', '--from', 'forged@far.example', '--to', kari]
      return (await of().host.exec([...as, ...swaks, ...more])).stdout
    }
    expect(await bySmtp()).toContain('450 4.7.1')
    expect(await bySmtp('--local-interface', '127.0.0.2')).toMatch(/450 4\.7\.1 .*This website account shop/)
    expect(await senderOf('shop')).toMatchObject({ hour: 2, refused: 3 })
    // whoever leaves before the answer has no user any more
    const early = nextTitle('script')
    const said = [
      'EHLO x',
      'MAIL FROM:<forged@far.example>',
      `RCPT TO:<${kari}>`,
      'DATA',
      `Subject: ${early}`,
      '',
      'Hello',
      '.',
      '',
    ]
    const leaving = `use IO::Socket::INET; my $to = IO::Socket::INET->new('127.0.0.1:25') or die; print $to join("\\r\\n", @ARGV); close $to`
    await of().sh('runuser', '-u', 'shop', '--', 'perl', '-e', leaving, ...said)
    await expect
      .poll(() => of().sh('cat', '/var/log/innkeeper-mail.log'))
      .toMatch(
        /from=<forged@far\.example>.* has ended the connection|has ended the connection.*from=<forged@far\.example>/,
      )
    expect(await found(kari, ofKari, early)).toBe('')
    await of().done('mail-sender.act', { sender: 'shop', act: 'hold' })
    expect((await send('refused')).stderr).toContain('not allowed to submit mail')
    await of().done('mail-sender.act', { sender: 'shop', act: 'send' })
    await arrives(kari, ofKari, third)
    expect((await send(nextTitle('script'))).code).toBe(0)
  })

  test('forwards with a sender of its own domain, sealed with ARC; bounces find their way back, and loops end', async () => {
    const sink = await openSink(of().host.gateway)
    try {
      await of().done('mail-key.ensure', { domain: 'post.example', selector: 'k1' })
      const forwards = user(11, 'kari', { forwards: ['friend@far.example'] })
      await of().done('mail-domain.ensure', domainOf({ users: [forwards, user(12, 'lars')], selector: 'k1' }))
      await of().sh(
        'sh',
        '-c',
        `echo '${of().host.gateway} far.example elsewhere.example' >> /etc/hosts; cp /etc/hosts /var/spool/postfix/etc/hosts`,
      )
      await of().sh('postconf', '-e', 'smtp_dns_support_level = disabled')
      await of().sh('postfix', 'reload')
      // rspamd looks for changed selectors once a second
      const sealed = async () => {
        const { title } = await arrive(kari)
        await arrives(kari, ofKari, title)
        await expect.poll(() => sink.about(title)?.to).toBe('friend@far.example')
        return sink.about(title)!
      }
      await expect.poll(async () => (await sealed()).text).toMatch(/^ARC-Seal: .*d=post\.example/m)
      const { from, text } = await sealed()
      expect(from).toMatch(/^SRS0=[A-Za-z0-9]{6}=[A-Z2-7]{2}=elsewhere\.example=stranger@post\.example$/)
      expect(text).toContain(`Delivered-To: ${kari}`)
      const bounce = await arrive(from, '--from', '<>')
      expect(bounce.stdout).toMatch(/250 2\.0\.0 Ok: queued/)
      await expect.poll(() => sink.about(bounce.title)?.to).toBe('stranger@elsewhere.example')
      expect((await arrive(from.replace(/=..=/, '=AA='), '--from', '<>')).stdout).toMatch(/550 5\.1\.1/)
      const answer = await arrive(kari, '--from', '<>')
      const sent = async () => sink.about(answer.title)
      await expect.poll(sent).toMatchObject({ from: '', text: expect.stringContaining(`Delivered-To: ${kari}`) })
      // back from a server that forwards to us, with the sender of the first round
      const looping = await arrive(kari, '--from', from, '--header', `Delivered-To: ${kari}`)
      await expect.poll(() => sink.about('Mail forwarding loop')?.to).toBe('stranger@elsewhere.example')
      expect(sink.about(looping.title)?.from).toBe('') // the bounce, with the headers of the message
      // mail of a mailbox here keeps its sender, and ends at its second round as well
      const own = await submit(lars, ofLars, kari)
      await expect
        .poll(() => sink.about(own.title))
        .toMatchObject({ from: lars, to: 'friend@far.example', text: expect.stringContaining(`Delivered-To: ${kari}`) })
      const direct = await submit(lars, ofLars, 'friend@far.example')
      await expect.poll(() => sink.about(direct.title)?.from).toBe(lars)
      expect(sink.about(direct.title)?.text).not.toContain('Delivered-To')
      const back = await arrive(kari, '--from', lars, '--header', `Delivered-To: ${kari}`)
      await arrives(lars, ofLars, 'Undelivered Mail')
      expect(sink.about(back.title)).toBeUndefined()
    } finally {
      sink.close()
      await of().done('postfix.ensure', {})
      await of().done('mail-domain.ensure', domainOf())
    }
  })

  test('keeps reports of other servers until the control plane has stored them', async () => {
    const xml = `<feedback><report_metadata><org_name>Far</org_name><report_id>7</report_id><date_range><begin>1764000000</begin><end>1764086400</end></date_range></report_metadata><policy_published><domain>post.example</domain></policy_published><record><row><source_ip>192.0.2.7</source_ip><count>3</count><policy_evaluated><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row></record></feedback>`
    const sent = await arrive('mail-reports@post.example', '--add-header', 'Content-Type: text/xml', '--body', xml)
    expect(sent.stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    await arrive('mail-reports@post.example', '--body', 'a letter')
    const take = async (taken: string[] = []) =>
      (await of().done('mail-reports.read', { taken })).output as {
        reports: { file: string; domain: string; report: { failed: number } }[]
        others: string[]
      } // the driver's output
    await expect.poll(async () => (await take()).reports.length).toBe(1)
    const { reports } = await take()
    expect(reports[0]).toMatchObject({ domain: 'post.example', report: { kind: 'dmarc', passed: 0, failed: 3 } })
    expect((await take(reports.map(({ file }) => file))).reports).toEqual([])
  })

  test('refuses a message that does not fit into the mailbox, once its size is known', async () => {
    const small = domainOf({
      users: [user(11, 'kari'), user(13, 'mini', { quotaMb: 1 })],
      aliases: [
        { localPart: 'office', targets: ['mini@post.example'] },
        { localPart: 'all', targets: [kari, 'mini@post.example'] },
      ],
    })
    await of().done('mail-domain.ensure', small)
    writeFileSync(`${of().host.root}/root/bigger.txt`, `${'mail '.repeat(14)}\n`.repeat(16_000)) // 1.1 MB
    const big = async (to: string) => (await arrive(to, '--body', '@/root/bigger.txt')).stdout.split(' -> .').at(-1)
    await expect.poll(() => big('office@post.example')).toMatch(/552 5\.2\.2/)
    expect(await big('mini@post.example')).toMatch(/552 5\.2\.2/)
    expect(await big('all@post.example')).toMatch(/250 2\.0\.0 Ok: queued/)
    expect(await big(`mini@post.example,${kari}`)).toMatch(/250 2\.0\.0 Ok: queued/)
    await of().sh('postsuper', '-d', 'ALL')
    await of().done('mail-domain.ensure', domainOf())
  })

  test("has Sent, Drafts, Trash and Junk at the first sign-in, and mailboxes such as o'neil", async () => {
    const passwords = JSON.stringify({ ...hashes, 14: hashes[11] })
    await of().done('mail-domain.ensure', domainOf({ users: [user(11, 'kari'), user(14, "o'neil")], passwords }))
    const oneil = "o'neil@post.example"
    await maySignIn(oneil, ofKari).toBe(true)
    const { stdout } = await imap(oneil, ofKari, '', '-X', 'LIST (SPECIAL-USE) "" "*"')
    for (const name of ['Sent', 'Drafts', 'Trash', 'Junk'])
      expect(stdout).toMatch(new RegExp(`\\(.*\\\\${name}.*\\) "\\." ${name}`))
    await arrives(oneil, ofKari, (await arrive(oneil)).title)
    await of().done('mail-domain.ensure', domainOf())
  })

  test('copies the mail of another account over IMAP: folders, flags and dates; a repetition copies what is missing', async () => {
    const { title } = await arrive(lars)
    await arrives(lars, ofLars, title)
    await imap(lars, ofLars, '', '-X', 'CREATE Projects.2026')
    const letter =
      'From: a@b.example\nMessage-ID: <old@b.example>\nSubject: an old letter\nDate: Mon, 1 Jan 2018 10:00:00 +0000\n\nold\n'
    writeFileSync(`${of().host.root}/root/letter.eml`, letter.replaceAll('\n', '\r\n'))
    const doveadm = async (...argv: string[]) => (await of().sh('doveadm', ...argv)).trim()
    await of().sh('sh', '-c', `doveadm save -u ${lars} -m Projects.2026 < /root/letter.eml`)
    await doveadm('flags', 'add', '-u', lars, '\\Seen \\Flagged', 'mailbox', 'Projects.2026', 'all')
    const shown = await of().sh(
      'sh',
      '-c',
      `openssl s_client -connect 127.0.0.1:993 </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256`,
    )
    const fingerprint = shown.split('=')[1]!.trim().replaceAll(':', '').toLowerCase()
    const nameless = letter.replace(/Message-ID: .*\n/, '').replace('an old letter', 'without an id')
    const save = async (user: string, text: string, folder = 'Projects.2026') => {
      writeFileSync(`${of().host.root}/root/letter.eml`, text.replaceAll('\n', '\r\n'))
      await of().sh('sh', '-c', `doveadm save -u ${user} -m ${folder} < /root/letter.eml`)
    }
    await save(lars, nameless)
    for (const n of [1, 2, 3]) await save(kari, letter.replace('old@b.example', `before${n}@b.example`), 'INBOX')
    await save(kari, letter.replace('old@b.example', 'before@b.example'), 'INBOX')
    const source = {
      ...{ mailboxId: 1, userId: 11, host: of().host.address, port: 993, login: lars, key: ofLars, fingerprint },
      privateTargets: [of().host.address],
    }
    const first = await of().done('mail-import.run', source)
    expect(first.output).toMatchObject({ added: expect.any(Number) })
    const fetched = () => doveadm('fetch', '-u', kari, 'flags date.received', 'mailbox', 'Projects.2026', 'all')
    const before = await doveadm('fetch', '-u', lars, 'flags date.received', 'mailbox', 'Projects.2026', 'all')
    expect(await fetched()).toBe(before)
    expect(before).toContain('\\Flagged \\Seen')
    await arrives(kari, ofKari, title)
    // what the mailbox has twice stays twice
    await save(kari, letter.replace('old@b.example', 'own@b.example'))
    await save(kari, letter.replace('old@b.example', 'own@b.example'))
    const later = await arrive(lars)
    await arrives(lars, ofLars, later.title)
    const again = async () => {
      const { output } = await of().done('mail-import.run', source)
      return (output as { added: number }).added
    }
    expect(await again()).toBeGreaterThan(0)
    // mail of the tests before may still arrive at either mailbox
    await expect.poll(again).toBe(0)
    expect(await found(kari, ofKari, title)).toMatch(/^\d+$/)
    const kept = (...query: string[]) => doveadm('search', '-u', kari, 'mailbox', 'Projects.2026', ...query)
    expect((await kept('header', 'message-id', 'own@b.example')).split('\n')).toHaveLength(2)
    expect((await kept('subject', 'without an id')).split('\n')).toHaveLength(1)
    // what the mailbox had before the import stays
    expect(
      await doveadm('search', '-u', kari, 'mailbox', 'INBOX', 'header', 'message-id', 'before@b.example'),
    ).not.toBe('')
    // fetches only mail that arrived at the former server after the import
    await save(lars, letter.replace('old@b.example', 'late@b.example'), 'INBOX')
    const former = `${of().host.root}/root/former`
    writeFileSync(former, letter.replace('old@b.example', 'former@b.example'))
    await of().sh(
      ...['sh', '-c'],
      `box=$(doveadm user -f home ${lars})/Maildir; touch -d 2019-01-01 /root/former
        cp --preserve=timestamps /root/former $box/new/1546300800.M1P1.old; chown vmail: $box/new/1546300800.M1P1.old`,
    )
    const since = Math.floor(Date.now() / 1000) - 86_400
    await of().done('mail-import.run', { ...source, since })
    const inInbox = (id: string) => doveadm('search', '-u', kari, 'mailbox', 'INBOX', 'header', 'message-id', id)
    expect(await inInbox('late@b.example')).not.toBe('')
    expect(await inInbox('former@b.example')).toBe('')
    await of().done('mail-import.run', source)
    expect(await inInbox('former@b.example')).not.toBe('')
    const refused = async (more: object) => (await of().op('mail-import.run', { ...source, ...more })).reason
    expect(await refused({ key: 'wrong' })).toContain('refuses this login and password')
    expect(await refused({ fingerprint: '0'.repeat(64) })).toContain('shows another certificate')
    expect(await refused({ privateTargets: [] })).toContain('was not reached')
  })
}

/** A mail server that takes everything. */
export async function openSink(address: string) {
  const messages: { from: string; to: string; text: string }[] = []
  const server = createServer((socket) => {
    let rest = ''
    let [from, to, text] = ['', '', undefined as string | undefined]
    socket.on('error', () => undefined) // Postfix ends connections as it likes
    socket.write('220 sink\r\n')
    socket.on('data', (data) => {
      const lines = `${rest}${data}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (text !== undefined && line !== '.') {
          text += `${line}\n`
          continue
        }
        if (text !== undefined) {
          messages.push({ from, to, text })
          text = undefined
        }
        const address = /<(.*?)>/.exec(line)?.[1] ?? ''
        if (/^MAIL/i.test(line)) from = address
        if (/^RCPT/i.test(line)) to = address
        if (/^DATA/i.test(line)) text = ''
        socket.write(/^DATA/i.test(line) ? '354 go\r\n' : '250 ok\r\n')
        if (/^QUIT/i.test(line)) socket.end()
      }
    })
  })
  await new Promise<void>((ready) => server.listen(25, address, ready))
  return {
    about: (words: string) => messages.findLast(({ text }) => text.includes(words)),
    close: () => server.close(),
  }
}
