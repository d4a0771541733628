import type { Website } from '@innkeeper/contract/hosting/websites'
import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putHestiaArchive } from './hestiaArchive.ts'
import { enrol, freshHost, onHosts } from './hosts.ts'
import { addOwner, ends, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until, untilStill } from './until.ts'
import { untilVerified } from './workflows.ts'

type Line = { key: string; verdict: string; notes: string[] }
const [shop, still] = ['old-shop.example', 'old-static.example']
const sender = 'somebody@outside.example'

describe('an import among other work', onHosts, () => {
  let stage: Stage
  let second: Host
  let secondId: number
  let keeper: Host
  let backupServerId: number
  let userId: number
  let plan: number
  beforeAll(async () => {
    stage = await openStage('joints1', { layer: 'mail' })
    const path = '/cloud-management/server-types/web/services'
    const { services, version } = await api('GET', path)
    await api('PATCH', path, { services: [...services, 'postfix', 'dovecot'], version })
    second = await freshHost(stage.lab, 'joints2', 'databases')
    secondId = await enrol(stage.innkeeper, second)
    keeper = await freshHost(stage.lab, 'joints3')
    const keeperId = await enrol(stage.innkeeper, keeper, 'backup')
    const made = await api('POST', '/backups/servers', { serverId: keeperId })
    await ends(stage.innkeeper, made.workflowId, 'done')
    backupServerId = made.data.id
    userId = await addOwner(stage.innkeeper)
    const { items } = await api('GET', '/system-user/plans')
    plan = items.find((one: { name: string }) => one.name === 'Business').id
  })
  afterAll(async () => {
    await keeper?.wipe()
    await second?.wipe()
    await stage?.close()
  })

  const api = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
    stage.innkeeper.must(method, path, body)
  const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
    stage.innkeeper.call(method, path, body)
  const on = async (host: Host, script: string) => {
    const { code, stdout, stderr } = await host.exec(['sh', '-c', script])
    return code === 0 ? stdout.trim() : `${code}: ${stdout}${stderr}`
  }
  const run = (script: string) => on(stage.host, script)
  const done = async (method: 'POST' | 'DELETE' | 'PATCH', path: string, body: unknown = {}) => {
    const begun = await api(method, path, body)
    await ends(stage.innkeeper, begun.workflowId, 'done')
    return begun.data
  }
  const looked = async (path: string): Promise<number> =>
    (await done('POST', '/archive-imports', { serverId: stage.server, path })).id
  const start = (id: number, more: object = {}) =>
    api('POST', `/archive-imports/${id}/start`, { userId, plan, ...more })
  const verified = (id: number): Promise<ArchiveImportView> => untilVerified(stage.innkeeper, id)
  const site = async (domain: string): Promise<Website> =>
    (await api('GET', `/websites?domain=${domain}`)).Websites.find((one: Website) => one.domain === domain)
  /** What people may not do with a website of a running import, and what they are told. */
  const refusedFor = async ({ id }: Website, group: { id: number }, backupId?: number) => {
    const calls = {
      suspend: () => call('PATCH', `/websites/${id}`, { status: 'suspended' }),
      remove: () => call('DELETE', `/websites/${id}`, {}),
      move: () => call('POST', `/websites/${id}/migrate`, { targetServerId: secondId, targetGroupId: group.id }),
      group: () =>
        call('POST', `/websites/${id}/migrate`, {
          ...{ sourceGroupId: group.id, sourceServerId: stage.server, targetServerId: secondId },
        }),
      // a backup only reads, so it may run while an import writes files of the website
      ...(backupId
        ? { restore: () => call('POST', '/backups/restores', { backupId }) }
        : { back: () => call('POST', '/backups/backups', { websiteId: id, backupServerId }) }),
    }
    const said: Record<string, string> = {}
    for (const [name, ask] of Object.entries(calls)) {
      const { status, body } = await ask()
      said[name] = `${status} ${body?.message ?? JSON.stringify(body)}`
    }
    return said
  }
  /** Mail from outside, one message after the other, until /tmp/stop is there. Each accepted one has a line in /tmp/sent. */
  const sendMail = (to: string) =>
    run(`rm -f /tmp/stop /tmp/stopped /tmp/sent; touch /tmp/sent; setsid sh -c 'n=0; while [ ! -e /tmp/stop ]; do n=$((n+1))
      printf "From: ${sender}\\r\\nTo: ${to}\\r\\nMessage-ID: <late-$n@outside.example>\\r\\nSubject: late $n\\r\\n\\r\\nText\\r\\n" > /tmp/message
      curl -s --max-time 20 smtp://${stage.host.address}/outside.example --mail-from ${sender} --mail-rcpt ${to} -T /tmp/message 2>/dev/null && echo "late $n" >> /tmp/sent
      sleep 0.1; done; touch /tmp/stopped' >/dev/null 2>&1 </dev/null &`)
  /** Subjects in all folders of a mailbox. */
  const subjects = async (address: string) =>
    [...(await run(`doveadm fetch -u '${address}' hdr.subject ALL`)).matchAll(/^hdr\.subject: (.*)$/gm)].map(
      ([, one]) => one,
    )

  test('belongs to its workflow until people accept it, and a mailbox that receives meanwhile loses and doubles nothing', async () => {
    await putHestiaArchive(stage.host, '/backup/alice.tar')
    const id = await looked('/backup/alice.tar')
    const begun = await start(id)
    await sendMail(`info@${shop}`)
    const [one, other] = [await site(shop), await site(still)]
    const group = await api('POST', '/groups', { ownerId: userId, mainWebsite: one.id, ids: [one.id, other.id] })
    const refused = {
      suspend: expect.stringMatching(/^422 .* is creating/),
      remove: expect.stringMatching(/^409 alice.tar is being imported/),
      back: expect.stringMatching(/^422 .* is creating/),
      move: expect.stringMatching(/^422 .* is creating/),
      group: expect.stringMatching(/^422 .* is creating/),
    }
    expect(await refusedFor(one, group)).toEqual(refused)
    expect(await verified(id)).toMatchObject({ status: 'verified', reason: null })
    expect(await refusedFor(one, group)).toEqual(refused)
    await api('POST', `/archive-imports/${id}/accept`)
    await ends(stage.innkeeper, begun.workflowId, 'done')
    const accepted = async () => (await run('cat /tmp/sent')).split('\n').filter(Boolean)
    await until('several messages were accepted', async () => (await accepted()).length > 2)
    await run('touch /tmp/stop')
    await until('the last message was sent', () => run('test -e /tmp/stopped && echo yes || true'))
    const sent = await accepted()
    await untilStill('the queue is empty', async () => {
      const queue = await run('postqueue -p | tail -1')
      return { done: queue.includes('is empty') || undefined, seen: queue }
    })
    const here = await subjects(`info@${shop}`)
    expect(here.toSorted()).toEqual([...sent, 'old 1', 'old 2', 'old 3', 'unread', 'sent'].toSorted())
  })

  test('comes again into a website with backups, whose restore waits for it', async () => {
    await putHestiaArchive(
      stage.host,
      '/backup/alice2.tar',
      `cd /tmp/data-shop/public_html; echo late > late.txt; mkdir -p repo/keys; printf 'scrypt' > repo/keys/1; echo '{"version":2,"id":"0","chunker_polynomial":"0"}' > repo/config; touch -d '+5 minutes' late.txt repo/keys/1 repo/config; cd /`,
    )
    const one = await site(shop)
    const group = (await api('GET', '/groups')).items[0]
    const backup = await done('POST', '/backups/backups', { websiteId: one.id, backupServerId })
    const id = await looked('/backup/alice2.tar')
    // the limit of the account leaves no room: said before anything is written, and nothing of it came
    expect(await run(fullAccount)).toBe('')
    const full = await start(id, { leaveOut: [`mail:${shop}`] })
    expect(await verified(id)).toMatchObject({
      ...{ status: 'failed', reason: expect.stringMatching(/alice has no room for the changed files: 1 MiB come, /) },
    })
    expect(await run(`ls /home/alice/${shop}/public`)).not.toContain('late.txt')
    await api('POST', `/archive-imports/${id}/roll-back`)
    await ends(stage.innkeeper, full.workflowId, 'rolled-back')
    expect(await run('rm /usr/local/bin/findmnt /usr/local/bin/quotaon /usr/sbin/setquota /usr/bin/quota')).toBe('')
    const begun = await start(id, { leaveOut: [`mail:${shop}`] })
    const refused = {
      suspend: expect.stringMatching(/^409 alice2.tar is being imported/),
      remove: expect.stringMatching(/^409 alice2.tar is being imported/),
      move: expect.stringMatching(/^422 .* is being worked on/),
      group: expect.stringMatching(/^422 .* is being worked on/),
      restore: expect.stringMatching(/^409 alice2.tar is being imported/),
    }
    expect(await refusedFor(one, group, backup.id)).toEqual(refused)
    expect(await verified(id)).toMatchObject({ status: 'verified', reason: null })
    await api('POST', `/archive-imports/${id}/accept`)
    await ends(stage.innkeeper, begun.workflowId, 'done')
    const files = () => run(`cd /home/alice/${shop}/public; find . -type f | LC_ALL=C sort`)
    const before = ['./blåbær $(x).txt', './index.php', './wp-config.php']
    // a repository of backups in the archive is files like others
    const came = ['./late.txt', './repo/config', './repo/keys/1']
    expect((await files()).split('\n').toSorted()).toEqual([...before, ...came].toSorted())
    await done('POST', '/backups/restores', { backupId: backup.id })
    expect((await files()).split('\n').toSorted()).toEqual(before.toSorted())
    expect((await visit(stage.host.address, shop)).body).toBe('from the old blåbær database')
  })

  test('comes anew while the former account lies in the trash, and survives the end of the trash', async () => {
    const former = [await site(shop), await site(still), await site('old-closed.example')]
    for (const { id, version } of former) {
      const begun = await api('DELETE', `/websites/${id}`, { version })
      await ends(stage.innkeeper, begun.workflowId, 'done')
    }
    const id = await looked('/backup/alice.tar')
    const drawn = await api('GET', `/archive-imports/${id}/plan?userId=${userId}&plan=${plan}`)
    const lines = drawn.lines.map(({ key, verdict, notes }: Line) => [key, verdict, notes.join(' ')])
    expect(lines).toContainEqual([`mail:${shop}`, 'left out', expect.stringContaining('Its mail is in the trash')])
    expect(lines).toContainEqual([`zone:${shop}`, 'left out', expect.stringContaining('There is a zone of this name')])
    const begun = await start(id)
    expect(await verified(id)).toMatchObject({ status: 'verified', reason: null })
    await api('POST', `/archive-imports/${id}/accept`)
    await ends(stage.innkeeper, begun.workflowId, 'done')
    for (const { id: old, domain } of former) {
      const restored = await call('POST', `/websites/${old}/restore`, {})
      expect([restored.status, restored.body.message]).toEqual([409, expect.stringContaining(`${domain} is website`)])
      const purged = await api('DELETE', `/websites/${old}/trash`, { domain })
      await ends(stage.innkeeper, purged.workflowId, 'done')
    }
    expect((await visit(stage.host.address, shop)).body).toBe('from the old blåbær database')
    expect(await run(`ls -d /home/alice*; ls /home/alice/${shop}/public; id -nu alice`)).toContain('wp-config.php')
  })
})

/** The kernel of practice servers knows no quotas: programs that answer as Debian's do, for an account that has used its limit. */
const fullAccount = `put() { cat > "$1"; chmod 755 "$1"; }
  put /usr/local/bin/findmnt <<'EOF'
#!/bin/sh
echo '{"filesystems": [{"target": "/home", "fstype": "ext4", "options": "rw,relatime,quota,usrquota"}]}'
EOF
  printf '#!/bin/sh\\necho "user quota on /home (/dev/vdb) is on"\\n' | put /usr/local/bin/quotaon
  printf '#!/bin/sh\\n' | put /usr/sbin/setquota
  put /usr/bin/quota <<'EOF'
#!/bin/sh
echo '/home 1024000* 0 1024000 0 1 0 0 0'
exit 1
EOF`
