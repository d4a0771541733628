import { writeFileSync } from 'node:fs'
import type { MailboxDetails, MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWhole } from '../bin/slice.ts'
import { enrol, freshHost, onHosts } from './hosts.ts'
import type { Method } from './innkeeper.ts'
import { ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until, untilNone } from './until.ts'

const [near, far] = ['near.example', 'far.example']
const kari = `kari@${near}`
const friend = `friend@${far}`
const secret = 'a password of kari'
const READERS = isWhole ? 5_000 : 300

/** A mail server of somebody else: keeps mail for every address of far.example, and forwards friend@ back to kari. */
const foreign = `set -e
postconf -e 'myhostname = mx.${far}' 'mydestination = ' 'virtual_mailbox_domains = ${far}' 'virtual_mailbox_maps = static:all' \
  'virtual_mailbox_base = /var/farmail' 'virtual_uid_maps = static:65534' 'virtual_gid_maps = static:65534' 'mailbox_size_limit = 0' \
  'virtual_mailbox_limit = 0' 'virtual_alias_maps = inline:{${friend}=${kari}}' 'inet_interfaces = all' 'smtp_dns_support_level = disabled'
install -d -o nobody -g nogroup /var/farmail
systemctl restart postfix`

describe('mail between servers', onHosts, () => {
  let stage: Stage
  let outside: Host
  let second: Host
  let secondId: number
  let domain: MailboxDetails

  beforeAll(async () => {
    stage = await openStage('mail1', { layer: 'mail', type: 'mail' })
    second = await freshHost(stage.lab, 'mail2', 'mail')
    secondId = await enrol(stage.innkeeper, second, 'mail')
    outside = await freshHost(stage.lab, 'mailout', 'mail')
    for (const host of [stage.host, second]) await names(host, `${outside.address} ${far} mx.${far}`)
    await names(outside, `${stage.host.address} ${near}`)
    await on(outside, foreign)
  })
  afterAll(async () => {
    await outside?.wipe()
    await second?.wipe()
    await stage?.close()
  })

  const api = (method: Method, path: string, body?: unknown) => stage.innkeeper.must(method, path, body)
  const done = async (method: Method, path: string, body: unknown) => {
    const begun = await api(method, path, body)
    await ends(stage.innkeeper, begun.workflowId, 'done')
    return begun.data
  }
  const on = async (host: Host, script: string) => {
    const ran = await host.exec(['sh', '-c', script])
    if (ran.code !== 0) throw new Error(`${script}: ${ran.stdout}${ran.stderr}`)
    return ran.stdout.trim()
  }
  /** Names that the host finds without a name server, and Postfix too, which looks into its own copy. */
  const names = (host: Host, lines: string) =>
    on(
      host,
      `echo '${lines}' >> /etc/hosts; mkdir -p /var/spool/postfix/etc; cp /etc/hosts /var/spool/postfix/etc/hosts`,
    )
  const change = async (body: object): Promise<MailboxUser> => {
    const { version } = await mailbox()
    return done('PATCH', `/mailbox/users/${domain.items[0]?.id}`, { ...body, version })
  }
  const mailbox = (): Promise<MailboxUser> => api('GET', `/mailbox/users/${domain.items[0]?.id}`)
  /** Sends from outside as a mail server does. Answers what the server said. */
  const arrive = async (title: string, to = stage.host.address) =>
    (
      await outside.exec([
        ...['swaks', '--server', to, '--from', 'stranger@far.example', '--to', kari, '--header', `Subject: ${title}`],
      ])
    ).stdout
  const imap = async (host: Host, command: string, path = 'INBOX') =>
    (
      await host.exec([
        'curl',
        '-sSk',
        '--ssl-reqd',
        '-u',
        `${kari}:${secret}`,
        `imap://${host.address}/${path}`,
        '-X',
        command,
      ])
    ).stdout
  const inbox = async (host: Host, title: string) =>
    (await imap(host, `SEARCH SUBJECT "${title}"`)).replace('* SEARCH', '').trim().split(' ').filter(Boolean).length
  const waiting = async (host: Host) =>
    Number(
      await on(
        host,
        'find /var/spool/postfix/incoming /var/spool/postfix/active /var/spool/postfix/deferred -type f | wc -l',
      ),
    )
  const atFar = async (pattern: string) =>
    Number(await on(outside, `cat /var/farmail/all 2>/dev/null | grep -c '${pattern}' || true`))

  test('a mail domain is created, a mailbox receives and is read', async () => {
    const { id } = await done('POST', '/mailbox/mailboxes', { domain: near, serverId: stage.server })
    await done('POST', `/mailbox/mailboxes/${id}/users`, { localPart: 'kari', password: secret })
    domain = await api('GET', `/mailbox/mailboxes/${id}`)
    // names of practice servers are in a file, so Postfix must not ask a name server
    for (const host of [stage.host, second])
      await on(host, "postconf -e 'smtp_dns_support_level = disabled' && postfix reload")
    await until('the mailbox receives', async () => (await arrive('first')).includes('250 2.0.0 Ok: queued'))
    await until('the message is in the mailbox', async () => (await inbox(stage.host, 'first')) === 1)
  })

  test('a circle of forwards over two servers ends with its second round, and the sender is told once', async () => {
    await change({ forwards: [friend], keepCopy: true })
    expect(await arrive('round')).toContain('250 2.0.0 Ok: queued')
    await until('the sender is told', async () => (await atFar('^Subject: Undelivered')) === 1)
    for (const host of [stage.host, outside]) await untilNone(`messages wait on ${host.name}`, () => waiting(host))
    // a message that comes again is kept: whoever sends an old message on by hand sends the same header
    expect(await inbox(stage.host, 'round')).toBe(2)
    expect(await atFar('^Subject: Undelivered')).toBe(1)
    await change({ forwards: [] })
  })

  test(`a newsletter for ${READERS} readers leaves to its end, once to each`, async () => {
    const { version } = await api('GET', `/mailbox/mailboxes/${domain.id}`)
    await done('PATCH', `/mailbox/mailboxes/${domain.id}`, { hourlyLimit: READERS + 10, version })
    await change({ hourlyLimit: READERS + 10 })
    writeFileSync(`${stage.host.root}/root/letter`, `From: ${kari}\r\nSubject: newsletter\r\n\r\nHello\r\n`)
    const one = (n: number) =>
      [
        `url = "smtp://${stage.host.address}:587/newsletter"`,
        ...['insecure', 'ssl-reqd', `user = "${kari}:${secret}"`, `mail-from = "${kari}"`],
        ...[`mail-rcpt = "reader${n}@${far}"`, 'upload-file = "/root/letter"'],
      ].join('\n')
    const all = Array.from({ length: READERS }, (_, n) => one(n + 1)).join('\nnext\n')
    writeFileSync(`${stage.host.root}/root/newsletter`, all)
    await on(stage.host, 'curl -sS --fail-early -K /root/newsletter')
    for (const host of [stage.host, outside]) await untilNone(`messages wait on ${host.name}`, () => waiting(host))
    const reached = await on(
      outside,
      "grep -a '^X-Original-To: reader' /var/farmail/all | sort | uniq -c | awk '{print $1}' | sort | uniq -c",
    )
    expect(reached.trim()).toMatch(new RegExp(`^${READERS} +1$`))
  })

  test('a mail domain moves and its former server retires while mail arrives: nothing is lost or doubled', async () => {
    const accepted: string[] = []
    const refusals: string[] = []
    let going = true
    const stream = async (name: string, to: Host) => {
      for (let n = 0; going; n++) {
        const title = `${name}${n}x`
        const said = await arrive(title, to.address)
        if (said.includes('250 2.0.0 Ok: queued')) accepted.push(title)
        refusals.push(...(said.match(/<\*\* 5.*/g) ?? []))
      }
    }
    const streams = [stream('a', stage.host), stream('b', stage.host)]
    const { version } = await api('GET', `/mailbox/mailboxes/${domain.id}`)
    await done('POST', `/mailbox/mailboxes/${domain.id}/move`, { serverId: secondId, version })
    const before = accepted.length
    await until('mail is accepted after the move', async () => accepted.length > before + 4)
    expect(refusals).toEqual([])
    streams.push(stream('c', second))
    // who still asks the former server reads the same mailbox
    expect(await inbox(stage.host, 'first')).toBeGreaterThan(0)
    const moved = await api('GET', `/mailbox/mailboxes/${domain.id}`)
    expect(moved).toMatchObject({ serverName: 'mail2', move: expect.anything() })
    await done('POST', `/mailbox/mailboxes/${domain.id}/retire`, { version: moved.version })
    going = false // the former server refuses by now
    await Promise.all(streams)
    for (const host of [stage.host, second]) await untilNone(`messages wait on ${host.name}`, () => waiting(host))
    const subjects = await on(second, `doveadm fetch -u ${kari} hdr.subject all`)
    const arrived = [...subjects.matchAll(/hdr\.subject: ([abc]\d+x)$/gm)].map(([, title]) => title)
    expect(arrived.toSorted()).toEqual(accepted.toSorted())
    expect(await arrive('late', second.address)).toContain('250 2.0.0 Ok: queued')
    await until('the new server keeps receiving', async () => (await inbox(second, 'late')) === 1)
  })
})
