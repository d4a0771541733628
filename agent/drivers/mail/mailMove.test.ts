import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { domainOf } from './test/mail.ts'

const packages = [
  ...['postfix', 'dovecot-core', 'dovecot-imapd', 'dovecot-pop3d', 'dovecot-lmtpd', 'ssl-cert', 'rsync'],
  ...['swaks', 'libnet-ssleay-perl'],
]
const kari = 'kari@post.example'
const secret = 'secret of kari'
const opened = { transfer: 'mail-1', token: 'cd'.repeat(32) }

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(
  verdict.able ? 'a moving mail domain' : `a moving mail domain (${verdict.reason})`,
  () => {
    let old: Practice<Host>
    let next: Practice<Host>
    beforeAll(async () => {
      old = await practice(await openLab({ dir: labDir }), 'mail-old', 'mail')
      next = await practice(old.lab, 'mail-next', 'mail')
      for (const one of [old, next]) {
        await one.done('packages.ensure', { packages })
        await one.done('postfix.ensure', {})
        await one.done('dovecot.ensure', {})
      }
      await old.done('mail-domain.ensure', domainOf({ aliases: [{ localPart: 'info', targets: [kari] }] }))
    })
    afterAll(async () => {
      await next?.host.wipe()
      await old?.end()
    })

    let sent = 0
    const titles: string[] = []
    /** Permanent answers, after which a sender does not try again. */
    const refusals: string[] = []
    const send = async (to: string, at = old) => {
      const title = `n${++sent}x`
      const { stdout } = await at.host.exec([
        ...['swaks', '--server', at.host.address, '--from', 'stranger@elsewhere.example', '--to', to],
        ...['--header', `Subject: ${title}`],
      ])
      if (/250 2\.0\.0 Ok: queued/.test(stdout)) titles.push(title)
      return stdout
    }
    const imap = async (at: Practice<Host>, password: string, command: string, path = 'INBOX') => {
      const url = `imap://${at.host.address}/${path}`
      const ran = await at.host.exec(['curl', '-sSk', '--ssl-reqd', '-u', `${kari}:${password}`, url, '-X', command])
      return { code: ran.code, text: `${ran.stdout}${ran.stderr}` }
    }
    const count = async (at: Practice<Host>) =>
      Number(
        /MESSAGES (\d+)/.exec((await imap(at, secret, 'STATUS INBOX (MESSAGES UIDVALIDITY UIDNEXT)', '')).text)?.[1],
      )
    const uids = async (at: Practice<Host>) => (await imap(at, secret, 'UID SEARCH ALL')).text.trim()
    const validity = async (at: Practice<Host>) =>
      /UIDVALIDITY (\d+)/.exec((await imap(at, secret, 'STATUS INBOX (UIDVALIDITY)', '')).text)?.[1]
    const inMaildir = async (at: Practice<Host>) => {
      const text = await at.sh(
        'sh',
        '-c',
        'grep -rhi "^Subject: n[0-9]*x" /var/vmail/1/11/Maildir/new /var/vmail/1/11/Maildir/cur || true',
      )
      return [...text.matchAll(/n\d+x/g)].map(([title]) => title).toSorted()
    }

    /** The agent of the old server, which serves transfers after its start. */
    async function openAtOld(): Promise<number> {
      const bundle = await rolldown({
        input: join(import.meta.dirname, '../../test/keep.ts'),
        platform: 'node',
        external: /^node:/,
      })
      await bundle.write({ file: `${old.host.root}/opt/test/keep.mjs`, format: 'esm', codeSplitting: false })
      await bundle.close()
      const wanted = { ...opened, minutes: 30, folders: [], files: [], mail: [1] }
      const { output } = await old.done('transfer.open', wanted, { alone: true })
      await old.sh('systemd-run', '--collect', '--unit=keep', '/opt/test/node', '/opt/test/keep.mjs')
      await old.sh('sh', '-c', 'for i in $(seq 100); do test -e /run/keep.ready && exit 0; sleep 0.1; done; exit 1')
      return (output as { port: number }).port
    }

    test('the keys of the domain move with it, even if a deleted domain of the same name left a key on the new server', async () => {
      for (const one of [old, next]) await one.sh('groupadd', '--system', '--force', '_rspamd')
      const wanted = { domain: 'post.example', selector: 'k1' }
      const keyOf = async (at: Practice<Host>) =>
        ((await at.done('mail-key.ensure', wanted)).output as { publicKey: string }).publicKey
      const [ours, left] = [await keyOf(old), await keyOf(next)]
      expect(left).not.toBe(ours)
      const keys = { domain: 'post.example', selectors: ['k1'], file: 'mail-move-1.keys.gz' }
      await old.done('mail-keys.pack', keys)
      const spool = 'var/lib/innkeeper/spool'
      mkdirSync(join(next.host.root, spool), { recursive: true })
      copyFileSync(join(old.host.root, spool, keys.file), join(next.host.root, spool, keys.file))
      await next.done('mail-keys.take', keys, { id: 8301 })
      expect(await keyOf(next)).toBe(ours)
      await next.done('mail-keys.take', keys, { id: 8301, task: 'undo' })
      expect(await keyOf(next)).toBe(left)
    })

    test('nothing is lost or doubled, UIDs stay, and the old server passes on mail and sign-ins', async () => {
      for (const to of [kari, kari, kari, 'info@post.example']) await send(to)
      await expect.poll(() => count(old)).toBe(4)
      await imap(old, secret, 'STORE 2 +FLAGS (\\Deleted)')
      await imap(old, secret, 'EXPUNGE')
      titles.splice(1, 1)
      const before = { uids: await uids(old), validity: await validity(old) }
      expect(before.uids).toBe('* SEARCH 1 3 4')

      let going = true
      const stream = async () => {
        while (going) refusals.push(...((await send(sent % 3 ? kari : 'info@post.example')).match(/<\*\* 5.*/g) ?? []))
      }
      const streams = Promise.all([stream(), stream(), stream()])
      const peer = { ...opened, address: old.host.address, port: await openAtOld(), mailboxId: 1 }
      await next.done('mail-folder.pull', { ...peer, mode: 'seed' })
      const held = domainOf({ aliases: [{ localPart: 'info', targets: [kari] }], moving: { phase: 'held' } })
      await old.done('mail-domain.ensure', held)
      // mail programs try again later, instead of asking people for another password
      for (const [protocol, answer] of [
        ['imaps', 'NO [UNAVAILABLE]'],
        ['pop3s', '-ERR [SYS/TEMP]'],
      ]) {
        const url = `${protocol}://${old.host.address}/`
        const { code, stderr } = await old.host.exec(['curl', '-skv', '-u', `${kari}:${secret}`, url])
        expect([code, stderr]).toEqual([67, expect.stringContaining(answer!)])
      }
      expect(await send('nobody@post.example')).toMatch(/550 5\.1\.1/)
      await next.done('mail-folder.pull', { ...peer, mode: 'delta' })
      expect(await inMaildir(next)).toEqual(await inMaildir(old))
      const there = domainOf({ aliases: [{ localPart: 'info', targets: [kari] }], relays: [old.host.address] })
      await next.done('mail-domain.ensure', there)
      await old.done('mail-domain.ensure', { ...held, moving: { phase: 'moved', to: next.host.address } })
      await old.done('mail-queue.flush', { domain: 'post.example' })
      for (let n = 0; n < 3; n++) await send(kari)
      going = false
      await streams
      expect(refusals).toEqual([])
      await send(kari, next)

      await expect
        .poll(
          async () =>
            ((await old.done('mail-queue.flush', { domain: 'post.example' })).output as { waiting: number }).waiting,
        )
        .toBe(0)
      await expect.poll(() => inMaildir(next)).toEqual(titles.toSorted())
      expect(await validity(next)).toBe(before.validity)
      expect(await uids(next)).toMatch(/^\* SEARCH 1 3 4 /)
      expect(await uids(old)).toBe(await uids(next))
      expect((await imap(old, 'wrong', 'NOOP')).code).not.toBe(0)
      const signIn = async (password: string) =>
        (
          await old.host.exec([
            ...[
              'swaks',
              '--server',
              old.host.address,
              '--port',
              '587',
              '--tls',
              '--auth',
              'PLAIN',
              '--auth-user',
              kari,
            ],
            ...['--auth-password', password, '--from', kari, '--to', 'x@elsewhere.example', '--quit-after', 'AUTH'],
          ])
        ).stdout
      // a busy Dovecot answers 454, which is temporary
      for (const password of [secret, 'wrong', '']) await expect.poll(() => signIn(password)).toMatch(/<~\* 535/)
      // the first answer may be temporary, while Postfix asks the new server
      await expect.poll(() => send('nobody@post.example')).toMatch(/<\*\* 550/)
      expect(await send('x@elsewhere.example')).toContain('Relay access denied')
    })

    test('a change of another domain waits for no mail that is on its way to a new server, which does not answer', async () => {
      await old.done('mail-domain.ensure', domainOf({ moving: { phase: 'moved', to: next.host.address } }))
      await expect.poll(() => send(kari)).toMatch(/250 2\.0\.0 Ok: queued/)
      await old.sh('postfix', 'reload') // no connection to the new server stays open
      const signal = (name: string) => next.sh('pkill', `--signal=${name}`, '--exact', 'master|smtpd')
      await signal('STOP')
      let going = true
      const stream = (async () => {
        while (going) expect(await send(kari)).toMatch(/250 2\.0\.0 Ok: queued/)
      })()
      const queued = async () => (await old.sh('postqueue', '-j')).split('\n').filter(Boolean).length
      await expect.poll(queued).toBeGreaterThan(0)
      await old.done('mail-domain.ensure', domainOf({ mailboxId: 5, domain: 'other.example', users: [] }))
      expect(await queued()).toBeGreaterThan(0)
      going = false
      await stream
      const removal = { mailboxId: 1, domain: 'post.example', keepDays: 1 }
      const refused = await old.op('mail-domain.remove', removal)
      expect([refused.status, refused.reason]).toEqual([
        'failed',
        expect.stringMatching(/messages for post.example wait here/),
      ])
      await signal('CONT')
      await old.done('mail-domain.remove', removal)
      await expect.poll(() => inMaildir(next)).toEqual(titles.toSorted())
    })
  },
)
