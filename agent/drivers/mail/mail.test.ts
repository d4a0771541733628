import { writeFileSync } from 'node:fs'
import type { Heartbeat } from '@innkeeper/contract/agent/door'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { made } from '../../test/certificates.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { clientsOf, kari, lars, nextTitle, ofKari, ofLars } from './test/clients.ts'
import { deliveredDuring } from './test/delivery.ts'
import { identityTests } from './test/identity.ts'
import { domainOf, hashes, hashOf, user } from './test/mail.ts'
import { sendingTests } from './test/sending.ts'
import { websiteTests } from './test/websites.ts'

const dovecot = ['core', 'imapd', 'pop3d', 'lmtpd', 'sieve'].map((name) => `dovecot-${name}`)
const packages = [...dovecot, 'postfix', 'ssl-cert', 'rspamd', 'swaks', 'python3-dkim', 'libnet-ssleay-perl']
const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'mail' : `mail (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'mail', 'mail')
    await p.done('packages.ensure', { packages })
    await p.done('mail-filter.ensure', {})
    await p.done('postfix.ensure', {})
    await p.done('dovecot.ensure', {})
    await p.done('mail-domain.ensure', domainOf())
  })
  afterAll(() => p?.end())

  const { arrive, submit, imap, found, arrives, maySignIn } = clientsOf(() => p)

  test('other accounts of the server read neither log nor maps, and deliver nothing past Postfix', async () => {
    await p.sh('useradd', '--uid', '4710', 'stranger')
    const as = async (...argv: string[]) => (await p.host.exec(['runuser', '-u', 'stranger', '--', ...argv])).code
    const maps = ['mailboxes', 'aliases', 'limits', 'logins', 'accounts'].map(
      (name) => `/etc/postfix/innkeeper/${name}`,
    )
    const built = maps.slice(0, 4).map((file) => `${file}.db`)
    for (const file of ['/var/log/innkeeper-mail.log', ...maps, ...built]) {
      expect([file, (await p.host.exec(['test', '-f', file])).code]).toEqual([file, 0])
      expect([file, await as('test', '-r', file)]).toEqual([file, 1])
    }
    expect(await as('test', '-w', '/run/dovecot/lmtp')).toBe(1)
  })

  test('changed settings are read without a restart, which would double mail on its way; other addresses need one', async () => {
    const started = async () => (await p.sh('cat', '/var/spool/postfix/pid/master.pid')).trim()
    const restarts = async (...settings: string[]) => {
      const before = await started()
      await p.sh('postconf', '-e', ...settings)
      await p.done('postfix.ensure', {})
      for (const setting of settings) expect(await p.sh('postconf', '-n')).not.toContain(setting)
      return (await started()) !== before
    }
    expect(await restarts('maximal_queue_lifetime = 3d', 'smtp_connect_timeout = 7s')).toBe(false)
    expect(await restarts('inet_protocols = ipv4')).toBe(true)
  })

  test('Dovecot and rspamd read changed settings without a restart: each delivery that is saved is answered, once', async () => {
    const mainPid = async (unit: string) => (await p.sh('systemctl', 'show', '-P', 'MainPID', unit)).trim()
    const before = await Promise.all(['dovecot', 'rspamd'].map(mainPid))
    const answered = await deliveredDuring(p, 'during', kari, async () => {
      for (let n = 0; n < 4; n++) {
        await p.sh('sed', '-i', 's/^auth_mechanisms.*/auth_mechanisms = plain/', '/etc/dovecot/dovecot.conf')
        await p.done('dovecot.ensure', {})
      }
    })
    await p.sh('sed', '-i', 's/^reject = .*/reject = 14;/', '/etc/rspamd/local.d/actions.conf')
    await p.done('mail-filter.ensure', {})
    expect(await p.sh('cat', '/etc/rspamd/local.d/actions.conf')).toContain('reject = 15')
    expect(await Promise.all(['dovecot', 'rspamd'].map(mainPid))).toEqual(before)
    const subjects = await p.sh('doveadm', 'fetch', '-u', kari, 'hdr.subject', 'mailbox', 'INBOX', 'subject', 'during')
    const saved = [...subjects.matchAll(/hdr\.subject: (\S+)$/gm)].map(([, title]) => title)
    expect(saved.length).toBeGreaterThan(50)
    expect(saved.toSorted()).toEqual(answered)
  })

  test('receives mail by SMTP and serves it by IMAP, also with an address extension; refuses unknown recipients', async () => {
    const { title, stdout } = await arrive('Kari+shop@Post.Example')
    expect(stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    await arrives(kari, ofKari, title)
    expect((await arrive('nobody@post.example')).stdout).toMatch(/550 5\.1\.1 .*User unknown/)
    expect((await arrive('kari@strangers.example')).stdout).toContain('Relay access denied')
    await maySignIn(kari, 'wrong').toBe(false)
  })

  test('signs in with application passwords, until they are removed', async () => {
    for (const word of ['phone of kari', 'tablet of kari']) await maySignIn(kari, word).toBe(true)
    await maySignIn(lars, 'phone of kari').toBe(false)
    const less = { ...hashes, 11: { 0: hashes[11][0], 9: hashes[11][9] } }
    await p.done('mail-domain.ensure', domainOf({ passwords: JSON.stringify(less) }))
    await maySignIn(kari, 'phone of kari').toBe(false)
    await maySignIn(kari, 'tablet of kari').toBe(true)
  })

  test('keeps the passwords when the operation contains none; two changes in one second both take effect', async () => {
    const changed = (word: string) => JSON.stringify({ ...hashes, 12: { 0: hashOf(word) } })
    await p.done('mail-domain.ensure', domainOf({ passwords: changed('a first password') }))
    await maySignIn(lars, 'a first password').toBe(true)
    await p.done('mail-domain.ensure', domainOf({ passwords: changed('another password') }))
    await p.done('mail-domain.ensure', domainOf({ passwords: undefined }))
    await maySignIn(lars, 'another password').toBe(true)
    await maySignIn(lars, 'a first password').toBe(false)
    await p.done('mail-domain.ensure', domainOf())
  })

  test('a disabled mailbox refuses mail, sign-in and sending; undo enables it', async () => {
    const state = domainOf({ users: [user(11, 'kari', { state: 'disabled' }), user(12, 'lars')] })
    await p.done('mail-domain.ensure', state, { id: 8001 })
    expect((await arrive(kari)).stdout).toContain('550 5.2.1')
    await maySignIn(kari, ofKari).toBe(false)
    expect((await submit(kari, ofKari, lars)).stdout).toMatch(/535 5\.7\.8/)
    await p.done('mail-domain.ensure', state, { id: 8001, task: 'undo' })
    await maySignIn(kari, ofKari).toBe(true)
  })

  test('receive-only: mail arrives and is read, and nothing is sent', async () => {
    await p.done(
      'mail-domain.ensure',
      domainOf({ users: [user(11, 'kari', { state: 'receive-only' }), user(12, 'lars')] }),
    )
    await arrives(kari, ofKari, (await arrive(kari)).title)
    expect((await submit(kari, ofKari, lars)).stdout).toContain('550 5.7.1')
    await p.done('mail-domain.ensure', domainOf({ state: 'receive-only' }))
    expect((await submit(lars, ofLars, kari)).stdout).toContain('550 5.7.1')
    await p.done('mail-domain.ensure', domainOf({ state: 'disabled' }))
    expect((await arrive(kari)).stdout).toContain('550 5.2.1')
    await maySignIn(kari, ofKari).toBe(false)
    await p.done('mail-domain.ensure', domainOf())
  })

  test('sends with the own address only, and to the own domain', async () => {
    const { title, stdout } = await submit(kari, ofKari, lars)
    expect(stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    await arrives(lars, ofLars, title)
    expect((await submit(kari, ofKari, lars, '--from', lars)).stdout).toMatch(/553 5\.7\.1/)
  })

  test('refuses mail that exceeds the quota during the SMTP session', async () => {
    writeFileSync(`${p.host.root}/root/big.txt`, `${'mail '.repeat(14)}\n`.repeat(12_000)) // 0.8 MB
    expect((await arrive('mini@post.example', '--body', '@/root/big.txt')).stdout).toContain('250 2.0.0')
    await expect
      .poll(async () => (await p.done('mail-usage.read', {})).output)
      .toMatchObject({ mailboxes: expect.arrayContaining([expect.objectContaining({ userId: 13, messages: 1 })]) })
    expect((await arrive('mini@post.example', '--body', '@/root/big.txt')).stdout).toContain('552 5.2.2')
    const grown = domainOf({ users: [user(11, 'kari'), user(12, 'lars'), user(13, 'mini', { quotaMb: 10 })] })
    await p.done('mail-domain.ensure', grown)
    const { title } = await arrive('mini@post.example')
    await arrives('mini@post.example', 'secret of mini', title)
  })

  test('aliases, forwards and a catch-all reach their mailboxes', async () => {
    await p.done(
      'mail-domain.ensure',
      domainOf({
        users: [user(11, 'kari', { forwards: [lars], keepCopy: true }), user(12, 'lars')],
        aliases: [{ localPart: 'team', targets: [kari, lars] }],
        catchAll: lars,
      }),
    )
    const forwarded = await arrive(kari)
    await arrives(kari, ofKari, forwarded.title)
    await arrives(lars, ofLars, forwarded.title)
    await arrives(lars, ofLars, (await arrive('team@post.example')).title)
    await arrives(lars, ofLars, (await arrive('whoever@post.example')).title)
    await p.done(
      'mail-domain.ensure',
      domainOf({ users: [user(11, 'kari', { forwards: [lars], keepCopy: false }), user(12, 'lars')] }),
    )
    const handedOn = await arrive(kari)
    await arrives(lars, ofLars, handedOn.title)
    expect(await found(kari, ofKari, handedOn.title)).toBe('')
  })

  test('answers while its owner is away, once for each sender', async () => {
    const autoReply = { subject: 'Away "now"', text: 'Back\nin \\ May', from: '2020-01-01', until: '2099-01-01' }
    await p.done('mail-domain.ensure', domainOf({ users: [user(11, 'kari', { autoReply }), user(12, 'lars')] }))
    await submit(lars, ofLars, kari)
    await arrives(lars, ofLars, 'Away')
    const past = { ...autoReply, until: '2020-02-01', subject: 'Long past' }
    await p.done('mail-domain.ensure', domainOf({ users: [user(11, 'kari', { autoReply: past }), user(12, 'lars')] }))
    const { title } = await submit(lars, ofLars, kari)
    await arrives(kari, ofKari, title)
    expect(await found(lars, ofLars, 'Long past')).toBe('')
  })

  test('files what rspamd marks as spam into Junk', async () => {
    const { title } = await arrive(
      kari,
      '--header',
      'X-Spam: Yes',
      '--body',
      'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X',
    )
    // rspamd refuses mail with the GTUBE test pattern outright; mail with a lower score is marked as spam
    expect(await found(kari, ofKari, title)).toBe('')
  })

  test('files mail into Junk from the threshold of each mailbox on', async () => {
    const rule = `rspamd_config.SUSPECT = { score = 4.2,
  callback = function(task) return (task:get_subject() or ''):find('suspect') ~= nil end }\n`
    writeFileSync(`${p.host.root}/etc/rspamd/rspamd.local.lua`, rule)
    await p.sh('systemctl', 'restart', 'rspamd')
    await p.done('mail-filter.ensure', {})
    const suspect = async (to: string) => {
      const title = nextTitle('suspect')
      await p.host.exec([
        ...['swaks', '--server', p.host.address, '--from', 'stranger@elsewhere.example', '--to', to],
        ...['--header', `Subject: ${title}`],
      ])
      return title
    }
    const first = await suspect(kari)
    await arrives(kari, ofKari, first)
    const uid = await found(kari, ofKari, first)
    const level = (await imap(kari, ofKari, `INBOX;MAILINDEX=${uid};SECTION=HEADER.FIELDS%20(X-Spam-Level)`)).stdout
    const score = /X-Spam-Level: (\*+)/.exec(level)?.[1]?.length ?? 0
    expect(score, level).toBeGreaterThan(0)
    expect(score, level).toBeLessThan(6)
    const users = [user(11, 'kari', { spamScore: score }), user(12, 'lars', { spamScore: score + 1 })]
    await p.done('mail-domain.ensure', domainOf({ users }))
    await letPass(1100, 'Dovecot looks for a changed file once a second')
    await arrives(kari, ofKari, await suspect(kari), 'Junk')
    await arrives(lars, ofLars, await suspect(lars))
    await p.done('mail-domain.ensure', domainOf())
    await letPass(1100, 'Dovecot looks for a changed file once a second')
    await arrives(kari, ofKari, await suspect(kari))
  })

  sendingTests(() => p)
  identityTests(() => p)
  websiteTests(() => p)

  test('signs with DKIM, which another implementation verifies', async () => {
    const { output } = await p.done('mail-key.ensure', { domain: 'post.example', selector: 'k1' })
    const { publicKey } = output as { publicKey: string } // the driver's output
    expect((await p.done('mail-key.ensure', { domain: 'post.example', selector: 'k1' })).output).toEqual({ publicKey })
    await p.done('mail-domain.ensure', domainOf({ selector: 'k1' }))
    const verify = `import sys, dkim
record = b"v=DKIM1; k=rsa; p=${publicKey}"
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=lambda name, timeout=5: record if name.startswith(b"k1._domainkey.post.example") else None))`
    await expect
      .poll(async () => {
        const { title } = await submit(kari, ofKari, lars)
        await arrives(lars, ofLars, title)
        const uid = (await imap(lars, ofLars, 'INBOX', '-X', `UID SEARCH SUBJECT "${title}"`)).stdout.match(/\d+/)?.[0]
        const { stdout: message } = await imap(lars, ofLars, `INBOX;UID=${uid}`)
        return (await p.host.exec(['python3', '-c', verify], { input: message })).stdout.trim()
      })
      .toBe('True')
  })

  test('shows the certificate of a mail host to clients that name the host; undo restores the former certificate', async () => {
    const subjectAt = async (port: number, more: string[] = []) => {
      const asked = ['openssl', 's_client', '-connect', `${p.host.address}:${port}`, '-servername', 'mail.post.example']
      const { stdout } = await p.host.exec([...asked, ...more], { input: '' })
      return stdout
    }
    const printOf = async (text: string) => {
      const { stdout } = await p.host.exec(['openssl', 'x509', '-noout', '-fingerprint', '-sha256'], { input: text })
      return stdout.split('=')[1]?.trim().replaceAll(':', '').toLowerCase()
    }
    const one = await made(p, 'mail.post.example')
    const input = { mailboxId: 1, domain: 'post.example' }
    const { output } = await p.done('mail-tls.ensure', { ...input, ...one }, { id: 8201 })
    const { fingerprint } = output as { fingerprint: string }
    const everywhere = async (expected: string) => {
      for (const [port, more] of [
        [993, []],
        [465, []],
        [143, ['-starttls', 'imap']],
        [25, ['-starttls', 'smtp']],
      ] as const)
        await expect.poll(async () => printOf(await subjectAt(port, [...more]))).toBe(expected)
    }
    await everywhere(fingerprint)
    // passwords pass only over protocols that are not deprecated
    for (const port of [465, 993])
      expect(await subjectAt(port, ['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'])).toContain('Cipher is (NONE)')
    const { stderr, code } = await p.host.exec([
      ...[
        'curl',
        '-sS',
        '--cacert',
        '/tmp/mail.post.example.pem',
        '--resolve',
        `mail.post.example:993:${p.host.address}`,
      ],
      ...['-u', `${kari}:${ofKari}`, 'imaps://mail.post.example/INBOX', '-X', 'NOOP'],
    ])
    expect([code, stderr]).toEqual([0, ''])
    const next = await made(p, 'mail.post.example')
    const renewed = await p.done('mail-tls.ensure', { ...input, ...next }, { id: 8202 })
    await everywhere((renewed.output as { fingerprint: string }).fingerprint)
    await p.done('mail-tls.ensure', { ...input, ...next }, { id: 8202, task: 'undo' })
    await everywhere(fingerprint)
    expect(await p.sh('stat', '--format=%a %U', '/etc/postfix/innkeeper/certificates.db')).toBe('600 root\n')
    const foreign = await p.op('mail-tls.ensure', { ...input, ...(await made(p, 'mail.other.example')) })
    expect(foreign).toMatchObject({ status: 'failed', reason: 'This certificate is not for mail.post.example' })
    await p.done('mail-domain.ensure', domainOf({ state: 'disabled' }))
    await p.done('mail-domain.ensure', domainOf())
    await everywhere(fingerprint)
  })

  test('traces where a message went, and why another was refused', async () => {
    const { title } = await arrive(kari)
    await arrives(kari, ofKari, title)
    await arrive('nobody@post.example')
    const now = Math.floor(Date.now() / 1000)
    const last = async () => {
      const { output } = await p.done('mail-trace.read', { about: kari, from: now - 3600, until: now + 60, most: 5 })
      const { messages } = output as { messages: { id: string; lines: { text: string }[] }[] } // the driver's output
      return messages[0]?.lines.map(({ text }) => text).join('\n') ?? ''
    }
    // the log may be written after the delivery
    await expect.poll(last).toMatch(/client=.*\n[\s\S]*message-id=[\s\S]*status=sent[\s\S]*removed/)
    const asked = { about: 'nobody@post.example', from: 0, until: now + 60, most: 5 }
    const refused = async () => JSON.stringify((await p.done('mail-trace.read', asked)).output)
    await expect.poll(refused).toContain('User unknown')
  })

  test('shows the queue, and holds, releases and deletes in it', async () => {
    const queue = async () =>
      (await p.done('mail-queue.read', { most: 10 })).output as { items: { id: string; queue: string }[] }
    await p.sh('postconf', '-e', 'defer_transports = smtp')
    await p.sh('postfix', 'reload')
    await submit(kari, ofKari, 'somebody@elsewhere.example')
    const last = async () => (await queue()).items.at(-1)
    // mail that other tests sent to other servers may be queued too
    await expect.poll(async () => JSON.stringify(await last())).toMatch(/"deferred".*somebody@elsewhere/)
    const counted = async () => {
      const { output } = await p.done('server.inspect', {})
      const { services } = output as Heartbeat // of the operation
      return services.find(({ name }) => name === 'postfix')?.waiting ?? 0
    }
    await expect.poll(counted).toBeGreaterThan(0)
    const { id } = (await last())!
    const act = async (act: 'retry' | 'hold' | 'release' | 'delete') =>
      (await p.done('mail-queue.act', { queueId: id, act })).output
    expect(await act('hold')).toEqual({ there: true })
    expect((await queue()).items.find((one) => one.id === id)?.queue).toBe('hold')
    expect(await act('retry')).toEqual({ there: true })
    expect(await act('delete')).toEqual({ there: true })
    expect(await act('delete')).toEqual({ there: false })
    await p.done('postfix.ensure', {})
  })

  test('a deleted mailbox and a deleted domain are restored with their mail', async () => {
    const { title } = await arrive(kari)
    await arrives(kari, ofKari, title)
    await p.done('mail-domain.ensure', domainOf({ users: [user(12, 'lars')] }))
    await p.done('mail-folder.remove', { mailboxId: 1, userId: 11, keepDays: 30 }, { id: 8101 })
    expect((await arrive(kari)).stdout).toMatch(/550 5\.1\.1/)
    await p.done('mail-folder.restore', { mailboxId: 1, userId: 11, taken: [8101] })
    await p.done('mail-domain.ensure', domainOf())
    await arrives(kari, ofKari, title)
    await p.done('mail-domain.remove', { mailboxId: 1, domain: 'post.example', keepDays: 30 }, { id: 8102 })
    expect((await arrive(kari)).stdout).toContain('Relay access denied')
    await maySignIn(kari, ofKari).toBe(false)
    // mail that was being delivered while the domain was removed
    const late = '/var/vmail/1/11/Maildir/.Sent/cur'
    const letter = `${late}/1.M1.host:2,S`
    await p.sh('setpriv', '--reuid=vmail', '--regid=vmail', '--clear-groups', 'mkdir', '--parents', late)
    await p.sh('sh', '-c', `printf 'Subject: a late one\n\n' > ${letter}; chown vmail: ${letter}`)
    await p.done('mail-domain.restore', { mailboxId: 1, domain: 'post.example', taken: [8102] })
    await arrives(kari, ofKari, title)
    await arrives(kari, ofKari, 'a late one', 'Sent')
    expect(await p.sh('ls', '/var/vmail')).toBe('1\n')
  })

  test('completes after a kill at any moment, and after a power cut', async () => {
    for (const ms of [20, 60, 150, 400]) await p.killAfter(ms, 'mail-domain.ensure', domainOf({ catchAll: lars }))
    // postmap leaves this file when it is killed, and the next postmap would wait for the file
    await p.sh('touch', '/etc/postfix/innkeeper/__db.mailboxes.new.db')
    await p.done('mail-domain.ensure', domainOf())
    await arrives(kari, ofKari, (await arrive(kari)).title)
    expect((await arrive('whoever@post.example')).stdout).toMatch(/550 5\.1\.1/)
    await p.host.off()
    await p.host.up()
    await expect.poll(async () => (await arrive(kari)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
  })
})
