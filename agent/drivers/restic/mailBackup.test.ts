import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { domainOf, user } from '../mail/test/mail.ts'

const packages = [
  'postfix',
  'dovecot-core',
  'dovecot-imapd',
  'dovecot-pop3d',
  'dovecot-lmtpd',
  'dovecot-sieve',
  'ssl-cert',
]
const [key, password] = ['an-account-password-24ch', 'a-repository-password-24']
const repository = { account: 'server-7', password }
const domain = { mailboxId: 1, domain: 'post.example' }
const kari = { login: 'kari@post.example', secret: 'secret of kari' }
const mini = { login: 'mini@post.example', secret: 'secret of mini' }

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'mail in backups' : `mail in backups (${verdict.reason})`, () => {
  let first: Practice<Host>
  let next: Practice<Host>
  let remote: typeof repository & { address: string; port: number; key: string; certificate: string }
  beforeAll(async () => {
    first = await practice(await openLab({ dir: labDir }), 'mail-kept', 'mail')
    next = await practice(first.lab, 'mail-kept-2', 'mail')
    for (const one of [first, next]) {
      await one.done('packages.ensure', { packages })
      await one.done('postfix.ensure', {})
      await one.done('dovecot.ensure', {})
      await one.done('backup-program.ensure', { server: one === first })
    }
    await first.done('mail-domain.ensure', domainOf())
    const { address } = first.host
    const { output } = await first.done('backup-server.ensure', { address, port: 8100 })
    const { certificate } = output as { certificate: string }
    await first.done('backup-account.ensure', { account: 'server-7', key })
    await first.done('backup-repository.ensure', repository)
    remote = { ...repository, address, port: 8100, key, certificate }
  })
  afterAll(async () => {
    await next?.host.wipe()
    await first?.end()
  })

  const imap = async (at: Practice<Host>, who: typeof kari, path: string, ...more: string[]) => {
    const url = `imap://${at.host.address}/${path}`
    const ran = await at.host.exec(['curl', '-sSk', '--ssl-reqd', '-u', `${who.login}:${who.secret}`, url, ...more])
    if (ran.code !== 0) throw new Error(`${ran.code} ${ran.stderr}`)
    return ran.stdout
  }
  const add = async (who: typeof kari, folder: string, subject: string, size = 10, at = first) => {
    writeFileSync(`${at.host.root}/opt/test/message`, `Subject: ${subject}\r\n\r\n${'x'.repeat(size)}\r\n`)
    await imap(at, who, folder, '-T', '/opt/test/message')
  }
  const subjects = async (at: Practice<Host>, who: typeof kari, folder: string) => {
    const found = await imap(at, who, folder, '-X', 'UID SEARCH ALL')
    const list: string[] = []
    for (const [uid] of found.matchAll(/\d+/g)) {
      const head = await imap(at, who, `${folder};UID=${uid};SECTION=HEADER.FIELDS%20(SUBJECT)`)
      list.push(`${uid} ${/Subject: (.*?)\r/.exec(head)?.[1]}`)
    }
    return list
  }
  const backUp = async (backup: number, at = first) => {
    const { output } = await at.done('backup-mail.run', { ...remote, ...domain, website: 12, backup })
    return output as { snapshot: string; files: number; problem: string | null; mailboxes?: unknown[] }
  }
  const users = [{ userId: 11, from: 11 }]
  const restore = async (n: number, snapshot: string, at = first, some = users) => {
    await at.done('restore-mail.prepare', { ...remote, ...domain, restore: n, snapshot, users: some })
    const { output } = await at.done('restore-mail.merge', { ...domain, restore: n, users: some }, { id: 91_000 + n })
    return output
  }
  const undo = (n: number, attempt = 2) =>
    first.done('restore-mail.merge', { ...domain, restore: n, users }, { id: 91_000 + n, task: 'undo', attempt })

  let snapshot = ''
  test('lost messages and folders are restored with their UIDs, none twice; undo removes them', async () => {
    await imap(first, kari, '', '-X', 'CREATE Plans')
    await imap(first, kari, '', '-X', 'SUBSCRIBE Plans')
    for (const one of ['first', 'second', 'third']) await add(kari, 'INBOX', one)
    for (const one of ['north', 'south']) await add(kari, 'Plans', one)
    await imap(first, kari, 'INBOX', '-X', 'UID STORE 2 +FLAGS (\\Seen \\Flagged)')
    const script = '/var/vmail/1/11/sieve/mine.sieve'
    await first.sh('sh', '-c', `install -d -o vmail -g vmail /var/vmail/1/11/sieve && echo keep\\; > ${script}`)
    const kept = await backUp(1)
    expect(kept).toMatchObject({
      problem: null,
      mailboxes: expect.arrayContaining([expect.objectContaining({ userId: 11, localPart: 'kari', messages: 5 })]),
    })
    snapshot = kept.snapshot

    await imap(first, kari, 'INBOX', '-X', 'UID STORE 1:2 +FLAGS (\\Deleted)')
    await imap(first, kari, 'INBOX', '-X', 'EXPUNGE')
    await imap(first, kari, '', '-X', 'DELETE Plans')
    await imap(first, kari, '', '-X', 'CREATE Archive')
    await imap(first, kari, 'INBOX', '-X', 'UID MOVE 3 Archive')
    await add(kari, 'INBOX', 'later')
    await first.sh('rm', script)
    expect(await restore(1, snapshot)).toMatchObject({ messages: 4, present: 1, left: 0 })
    const inbox = (await subjects(first, kari, 'INBOX')).map((one) => one.replace(/^\d+ /, ''))
    expect(inbox.toSorted()).toEqual(['first', 'later', 'second'])
    expect(await subjects(first, kari, 'Plans')).toEqual(['1 north', '2 south'])
    expect(await subjects(first, kari, 'Archive')).toEqual(['1 third'])
    expect(await imap(first, kari, '', '-X', 'LSUB "" *')).toContain('Plans')
    expect(await imap(first, kari, 'INBOX', '-X', 'UID SEARCH FLAGGED')).toMatch(/SEARCH \d+/)
    expect(await first.sh('cat', script)).toBe('keep;\n')

    await undo(1)
    expect(await subjects(first, kari, 'INBOX')).toEqual(['4 later'])
    expect(await imap(first, kari, '', '-X', 'LIST "" *')).not.toContain('Plans')
    await first.done('restore-mail.merge', { ...domain, restore: 1, users }, { id: 91_001, attempt: 3 })
    expect((await subjects(first, kari, 'Plans')).length).toBe(2)
    expect(await restore(2, snapshot)).toMatchObject({ messages: 0, present: 5 })
    expect(await first.sh('sh', '-c', 'ls -A /var/vmail/.restores /var/vmail/.backup | grep -v :')).toBe('\n')
  })

  test('no message is missed while mail programs rename them', async () => {
    const names = 'for f in /var/vmail/1/11/Maildir/cur/*; do mv "$f" "$(echo $f | cut -d: -f1):2,$1"; done'
    const loop = `rename() { ${names}; }; while :; do rename S; sleep 0.2; rename FS; sleep 0.2; done`
    await first.sh('systemd-run', '--collect', '--unit=rename', '--uid=vmail', 'sh', '-c', loop.replaceAll('$', '$$'))
    try {
      const there = Number(await first.sh('sh', '-c', 'ls /var/vmail/1/11/Maildir/cur | wc -l'))
      const { mailboxes, problem } = await backUp(7)
      expect(problem).toBeNull()
      // and those of Plans and Archive
      expect(mailboxes).toEqual(expect.arrayContaining([expect.objectContaining({ userId: 11, messages: there + 3 })]))
    } finally {
      await first.sh('systemctl', 'stop', 'rename')
    }
  })

  test('a mailbox that would be too full is refused before anything changes', async () => {
    await add(mini, 'INBOX', 'large', 700_000)
    const kept = await backUp(2)
    await imap(first, mini, 'INBOX', '-X', 'UID STORE 1 +FLAGS (\\Deleted)')
    await imap(first, mini, 'INBOX', '-X', 'EXPUNGE')
    await add(mini, 'INBOX', 'other', 800_000)
    const some = [{ userId: 13, from: 13 }]
    const wanted = { ...remote, ...domain, restore: 3, snapshot: kept.snapshot, users: some }
    const full = await first.op('restore-mail.prepare', wanted)
    expect(full).toMatchObject({ status: 'failed', reason: expect.stringContaining('raise the quota first') })
    await first.done(
      'mail-domain.ensure',
      domainOf({ users: [user(11, 'kari'), user(13, 'mini', { quotaMb: 9, state: 'disabled' })] }),
    )
    expect(await restore(4, kept.snapshot, first, some)).toMatchObject({ messages: 1 })
    await first.done('mail-domain.ensure', domainOf({ users: [user(11, 'kari'), user(13, 'mini', { quotaMb: 9 })] }))
    // Dovecot reads a file of users at most once a second
    await expect.poll(() => imap(first, mini, 'INBOX', '-X', 'NOOP')).toBeDefined()
    expect((await subjects(first, mini, 'INBOX')).map((one) => one.slice(2)).toSorted()).toEqual(['large', 'other'])
  })

  test('mail is restored on the server to which the domain moved, and the old server says that it has no mail of the domain', async () => {
    await next.done('mail-domain.ensure', domainOf())
    expect(await restore(5, snapshot, next)).toMatchObject({ messages: 5, present: 0 })
    expect((await subjects(next, kari, 'INBOX')).map((one) => one.slice(2))).toEqual(['first', 'second', 'third'])
    const again = await restore(6, snapshot, next)
    expect(again).toMatchObject({ messages: 0, present: 5 })
    await first.done('mail-domain.ensure', domainOf({ moving: { phase: 'moved', to: next.host.address } }))
    expect(await backUp(3)).toMatchObject({ snapshot: null, problem: expect.stringContaining('another mail server') })
    const late = await first.op('restore-mail.merge', { ...domain, restore: 5, users })
    expect(late).toMatchObject({ status: 'failed', reason: expect.stringContaining('is moving') })
  })
})
