import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { MigrationWithDetails } from '@innkeeper/contract/hosting/moves/shapes'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { chainFor } from '../server/net/ssl/test/chain.ts'
import { enrol, freshHost, killAgent, onHosts } from './hosts.ts'
import type { Innkeeper } from './innkeeper.ts'
import { addOwner, created, ends, moved, visit, visitor } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

const run = promisify(execFile)

/**
 * A page that counts its visits in a file, so that an outdated copy would be noticed. With a database, each visit is also
 * a row.
 */
const counter = `<?php
$file = __DIR__ . '/count';
$handle = fopen($file, 'c+');
flock($handle, LOCK_EX);
$n = (int) stream_get_contents($handle) + 1;
ftruncate($handle, 0);
rewind($handle);
fwrite($handle, (string) $n);
if (file_exists(__DIR__ . '/database.php')) (require __DIR__ . '/database.php')->query("insert into visits values ($n)");
flock($handle, LOCK_UN);
echo "n=$n on ", gethostname();
`

describe('a website that moves between two practice hosts', onHosts, () => {
  let stage: Stage
  let innkeeper: Innkeeper
  let oslo: Host
  let bergen: Host
  let from: number
  let to: number

  beforeAll(async () => {
    stage = await openStage('e2e-oslo', { layer: 'databases' })
    innkeeper = stage.innkeeper
    oslo = stage.host
    from = stage.server
    bergen = await freshHost(stage.lab, 'e2e-bergen', 'databases')
    to = await enrol(innkeeper, bergen)
    // its opcache never checks files again, like a server under load
    const keeps = 'opcache.file_update_protection=0\nopcache.revalidate_freq=3600\n'
    await bergen.exec(['dd', 'of=/etc/php/8.2/fpm/conf.d/99-keeps.ini', 'status=none'], { input: keeps })
  })
  afterAll(async () => {
    await bergen?.wipe()
    await stage?.close()
  })

  const read = (id: number): Promise<MigrationWithDetails> => innkeeper.must('GET', `/websites/migrations/${id}`)
  const begin = async (id: number): Promise<number> =>
    (await innkeeper.must('POST', `/websites/${id}/migrate`, { targetServerId: to, soakHours: 1 })).id
  const comesTo = (id: number, status: MigrationWithDetails['status']) => moved(innkeeper, id, status)
  async function site(domain: string, requested = {}) {
    const website = await created(innkeeper, from, domain, requested)
    await write(website, 'index.php', counter)
    return website
  }
  /** Runs a command as the website's account. */
  const write = async (website: { username: string; documentRoot: string }, file: string, text: string) => {
    const as = ['setpriv', `--reuid=${website.username}`, `--regid=${website.username}`, '--clear-groups']
    const ran = await oslo.exec([...as, 'dd', `of=${website.documentRoot}/${file}`, 'status=none'], { input: text })
    if (ran.code !== 0) throw new Error(ran.stderr)
  }

  test('visitors see only the announced freeze, and counters in files and database continue', async () => {
    const website = await site('moving.example', { database: true })
    const database = (await innkeeper.must('GET', `/database/websites/${website.id}`)).items[0]
    const { username, password } = await innkeeper.must('POST', `/database/users/${database.users[0].id}/reveal`)
    const query = async (host: Host, text: string) => {
      const argv = ['mariadb', '-N', `--user=${username}`, `--password=${password}`, database.name]
      return (await host.exec(argv, { input: text })).stdout.trim()
    }
    await query(
      oslo,
      `create table visits (n int primary key); create table old (id int primary key, words varchar(200));
        insert into old select seq, repeat(md5(seq), 5) from seq_1_to_20000;`,
    )
    await write(
      website,
      'database.php',
      `<?php return new mysqli('localhost', '${username}', '${password}', '${database.name}');`,
    )
    const counts = async () => (await visit(oslo.address, 'moving.example')).body.startsWith('n=')
    await until('nginx serves the page', counts)
    const seen: { at: number; answered: number; status: number; n: number; host: string }[] = []
    const others: string[] = [] // unexpected answers, with the phase of the move
    const open: Promise<unknown>[] = []
    const timer = setInterval(() => {
      const at = performance.now()
      const asked = visit(oslo.address, 'moving.example').then(({ status, body }) => {
        const [, n = '0', host = ''] = body.match(/^n=(\d+) on (\S+)$/) ?? []
        if (status === 200 && !host) others.push(`${JSON.stringify(seen.slice(-3))} ${body}`)
        seen.push({ at, answered: performance.now(), status, n: Number(n), host })
      })
      open.push(asked)
    }, 100)
    const move = await comesTo(await begin(website.id), 'soaking')
    const before = seen.length
    await expect.poll(() => seen.length).toBeGreaterThan(before + 9) // further visits through the old address
    clearInterval(timer)
    await Promise.all(open)

    const served = seen.filter(({ status }) => status === 200)
    const frozen = seen.filter(({ status }) => status === 503)
    expect(seen.length).toBe(served.length + frozen.length)
    expect(others).toEqual([])
    expect(frozen.length).toBeGreaterThan(0)
    // on a busy machine, a visit that was sent before the freeze may be answered in it
    const span = Math.max(...frozen.map(({ at }) => at)) - Math.min(...frozen.map(({ answered }) => answered))
    console.log(`freeze ${move.freezeMs} ms reported, ${Math.round(span)} ms seen by ${seen.length} visits`)
    expect(move.freezeMs).toBeGreaterThan(span - 200)
    expect(new Set(served.map(({ host }) => host))).toEqual(new Set(['e2e-oslo', 'e2e-bergen']))
    // no visit was counted twice or lost
    const counted = served.map(({ n }) => n).toSorted((a, b) => a - b)
    expect(new Set(counted).size).toBe(counted.length)
    expect(counted.at(-1)).toBeLessThanOrEqual(counted.length + 25) // Innkeeper's probes count too

    expect((await visit(bergen.address, 'moving.example')).body).toContain('on e2e-bergen')
    expect(await innkeeper.must('GET', `/websites/${website.id}`)).toMatchObject({
      status: 'active',
      serverName: 'e2e-bergen',
    })
    expect(move.report.map(({ type, result }) => `${type} ${result}`)).toEqual([
      'files same',
      'http done',
      'database same',
    ])
    const [n] = (await visit(bergen.address, 'moving.example')).body.match(/\d+/) ?? []
    const gaps = 'select max(n), max(n) - min(n) + 1 - count(*) from visits; select count(*) from old;'
    expect(await query(bergen, gaps)).toBe(`${n}\t0\n20000`)
    for (const host of [oslo, bergen])
      expect((await host.exec(['sh', '-c', 'ls /var/lib/innkeeper/spool | grep -v cron'])).stdout).toBe('')
    const retry = (await oslo.exec(['curl', '-sI', '-H', 'Host: moving.example', 'http://127.0.0.1/'])).stdout
    expect(retry).toContain('200')
  })

  test('after the retirement the old host has only its trash, and the new host serves', async () => {
    const website = (await innkeeper.must('GET', '/websites?domain=moving.example')).Websites[0]
    const { migrations } = await innkeeper.must('GET', `/websites/migrations?sourceWebsiteId=${website.id}`)
    await innkeeper.must('PATCH', `/websites/migrations/${migrations[0].id}`, { want: 'retire' })
    await comesTo(migrations[0].id, 'done')
    expect((await visit(oslo.address, 'moving.example')).status).toBe(0)
    expect((await oslo.exec(['id', website.username])).code).toBe(1)
    expect((await oslo.exec(['nginx', '-T', '-q'])).stdout).not.toContain('moving.example')
    expect((await visit(bergen.address, 'moving.example')).status).toBe(200)
  })

  test('a roll back during the observation period keeps data written on the new host', async () => {
    const website = await site('returns.example')
    await visit(oslo.address, 'returns.example')
    const id = await begin(website.id)
    await comesTo(id, 'soaking')
    const there = (await visit(bergen.address, 'returns.example')).body
    const back = await innkeeper.must('PATCH', `/websites/migrations/${id}`, { want: 'rollback' })
    await comesTo(back.id, 'soaking')
    expect((await read(id)).status).toBe('rolled-back')
    const here = (await visit(oslo.address, 'returns.example')).body
    expect(here).toContain('on e2e-oslo')
    expect(Number(here.match(/\d+/)?.[0])).toBeGreaterThan(Number(there.match(/\d+/)?.[0]))
    expect((await visit(bergen.address, 'returns.example')).body).toContain('on e2e-oslo')
  })

  test('a group that has moved goes back as a whole, with what visitors wrote on the new host', async () => {
    const userId = await addOwner(innkeeper)
    const domains = ['first.group.example', 'second.group.example']
    const members = []
    for (const domain of domains) members.push(await site(domain, { userId }))
    const group = { ownerId: userId, mainWebsite: members[0]?.id, ids: members.map(({ id }) => id) }
    const { id: groupId } = await innkeeper.must('POST', '/groups', group)
    const how = { originServerSource: from, originServerTarget: to, soakHours: 1 }
    const { id } = await innkeeper.must('PATCH', '/groups/migrate', { id: groupId, ...how })
    await comesTo(id, 'soaking')
    const pages = (host: Host) => Promise.all(domains.map(async (domain) => (await visit(host.address, domain)).body))
    const countOf = (page: string) => Number(/^n=(\d+) /.exec(page)?.[1])
    const there = await pages(bergen)
    expect(there).toEqual(domains.map(() => expect.stringContaining('on e2e-bergen')))
    const visitors = [oslo, bergen].flatMap((host) => domains.map((domain) => visitor(host.address, domain)))
    const back = await innkeeper.must('PATCH', `/websites/migrations/${id}`, { want: 'rollback' })
    await comesTo(back.id, 'soaking')
    const stopped = await Promise.all(visitors.map((one) => one.stop()))
    const here = await pages(oslo)
    expect(here).toEqual(domains.map(() => expect.stringContaining('on e2e-oslo')))
    for (const [n, page] of here.entries()) expect(countOf(page)).toBeGreaterThan(countOf(there[n] ?? ''))
    // only the announced freeze
    expect(stopped.flatMap(({ failures }) => failures).filter((failure) => !failure.endsWith(' 503'))).toEqual([])
    expect((await read(id)).status).toBe('rolled-back')
    expect(await pages(bergen)).toEqual(domains.map(() => expect.stringContaining('on e2e-oslo')))
  })

  test('it moves again after the roll back is retired, also for visitors who use the new address before', async () => {
    const { Websites } = await innkeeper.must('GET', '/websites?domain=returns.example')
    const { migrations } = await innkeeper.must('GET', `/websites/migrations?sourceWebsiteId=${Websites[0].id}`)
    await innkeeper.must('PATCH', `/websites/migrations/${migrations[0].id}`, { want: 'retire' })
    await comesTo(migrations[0].id, 'done')
    const seen: { status: number; body: string }[] = []
    const open: Promise<unknown>[] = []
    const ask = (host: Host) => visit(host.address, 'returns.example').then((page) => seen.push(page))
    const timer = setInterval(() => open.push(ask(oslo), ask(bergen)), 100)
    await begin(Websites[0].id)
      .then((id) => comesTo(id, 'soaking'))
      .finally(() => clearInterval(timer))
    await Promise.all(open)
    const served = seen.filter(({ status }) => status === 200).map(({ body }) => /^n=(\d+) on e2e-/.exec(body)?.[1])
    expect(served.length).toBeGreaterThan(9)
    expect(served).not.toContain(undefined)
    expect(new Set(served).size).toBe(served.length) // no visit was counted twice
    // the page about the move, or nothing, because the new server did not know the name yet
    expect(new Set(seen.map(({ status }) => status).filter((status) => status !== 200))).toEqual(new Set([0, 503]))
    expect((await visit(oslo.address, 'returns.example')).body).toContain('on e2e-bergen')
  })

  test('a website with a certificate behind an edge stays on https and ends on the new host', async () => {
    const edge = await freshHost(stage.lab, 'e2e-edge')
    const folder = mkdtempSync(join(tmpdir(), 'innkeeper-edge-'))
    try {
      const serverId = await enrol(innkeeper, edge, 'cdn')
      const website = await site('edged.example')
      await write(website, 'page.html', 'a page')
      const { root, middle, leaf } = await chainFor(['edged.example', 'www.edged.example', 'also.example'])
      writeFileSync(join(folder, 'root.pem'), root.pem)
      const done = async (begun: Promise<{ workflowId: number }>) => ends(innkeeper, (await begun).workflowId, 'done')
      const upload = { certificate: leaf.pem, key: leaf.key, ca: middle.pem + root.pem, redirect: true }
      await done(innkeeper.must('POST', '/ssl-controller/certificate/custom', { websiteId: website.id, ...upload }))
      await done(innkeeper.must('POST', '/vhost-management/vhost', { websiteId: website.id, serverId }))
      /** Visits through the edge like a browser that trusts only this authority. */
      const curl = async (url: string, version = '--http2') => {
        const to = [80, 443].flatMap((port) => ['--resolve', `${new URL(url).hostname}:${port}:${edge.address}`])
        const argv = [
          '--silent',
          '--show-error',
          '--include',
          version,
          '--cacert',
          join(folder, 'root.pem'),
          ...to,
          url,
        ]
        return (await run('curl', argv)).stdout
      }
      expect(await curl('https://edged.example/page.html')).toMatch(
        /^HTTP\/2 200[\s\S]*x-cache-status: MISS[\s\S]*a page$/i,
      )
      expect(await curl('https://edged.example/page.html')).toMatch(/^HTTP\/2 200[\s\S]*x-cache-status: HIT/i)
      expect(await curl('http://edged.example/a')).toMatch(/^HTTP\/1.1 301[\s\S]*location: https:\/\/edged.example\/a/i)
      await done(innkeeper.must('POST', `/websites/${website.id}/alias`, { domain: 'also.example' }))
      expect(await curl('https://also.example/page.html')).toMatch(/^HTTP\/2 200/)

      const seen: Promise<string>[] = []
      // HTTP/1.1: an old nginx worker that ends after a reload refuses a new HTTP/2 connection, and browsers ask again
      const asking = () =>
        curl(`https://edged.example/?${seen.length}`, '--http1.1').catch((error: Error) => `no ${error.message}`)
      const timer = setInterval(() => seen.push(asking()), 200)
      const id = await begin(website.id)
      await comesTo(id, 'soaking').finally(() => clearInterval(timer))
      const answers = (await Promise.all(seen)).map((text) => text.split(' ')[1])
      expect(answers.filter((status) => status !== '200' && status !== '503')).toEqual([]) // only the announced freeze
      expect(await curl('https://edged.example/?after')).toMatch(/^HTTP\/2 200[\s\S]*on e2e-bergen$/)
      const { items } = await innkeeper.must('GET', '/vhost-management/vhost?search=edged')
      expect(items[0].originAddress).toBe(bergen.address)
      expect((await edge.exec(['nginx', '-T', '-q'])).stdout).toContain(`proxy_pass http://${bergen.address};`)
      await done(innkeeper.must('DELETE', `/vhost-management/vhost/${items[0].id}`, {}))
      expect((await edge.exec(['ls', '/etc/nginx/innkeeper/edge-tls'])).stdout).toBe('')
    } finally {
      await edge.wipe()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('its owner signs in on the new host with the same key, and again on the old host after a roll back', async () => {
    const website = await site('keys.example')
    const access = (id: number) => `/system-user/system-users/${id}/sftp`
    const settled = (id: number, keys: number) =>
      until('SFTP access is applied', async () => {
        const now = await innkeeper.must('GET', access(id))
        const there = now.keys.filter(({ state }: { state: string }) => state === 'active')
        return now.state === 'on' && there.length === keys
      })
    await innkeeper.must('PATCH', access(website.systemUserId), { on: true })
    await settled(website.systemUserId, 0)
    await oslo.exec(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'kari@laptop', '-f', '/root/kari'])
    const [secret, key] = await Promise.all(
      ['/root/kari', '/root/kari.pub'].map(async (file) => (await oslo.exec(['cat', file])).stdout),
    )
    await innkeeper.must('POST', `${access(website.systemUserId)}/keys`, { key: key?.trim() })
    await settled(website.systemUserId, 1)
    await bergen.exec(['dd', 'of=/root/kari', 'status=none'], { input: secret ?? '' })
    await bergen.exec(['chmod', '600', '/root/kari'])
    /** Lists the account's folder over SFTP on that host. */
    const listed = async (host: Host, username: string) => {
      const options = ['UserKnownHostsFile=/dev/null', 'StrictHostKeyChecking=no', 'BatchMode=yes'].flatMap((one) => [
        '-o',
        one,
      ])
      const argv = ['sftp', '-b', '-', ...options, '-i', '/root/kari', `${username}@127.0.0.1`]
      const { stdout, stderr } = await host.exec(argv, { input: 'ls\n' })
      return stdout + stderr
    }
    const id = await begin(website.id)
    await comesTo(id, 'soaking')
    const there = await innkeeper.must('GET', `/websites/${website.id}`)
    await settled(there.systemUserId, 1)
    expect(await listed(bergen, there.username)).toContain('keys.example')
    const back = await innkeeper.must('PATCH', `/websites/migrations/${id}`, { want: 'rollback' })
    await comesTo(back.id, 'soaking')
    expect(await listed(oslo, website.username)).toContain('keys.example')
  })

  test('killed agents and a power cut of the target during the copy: the move continues by itself or by a retry', async () => {
    const website = await site('storm.example')
    const as = ['setpriv', `--reuid=${website.username}`, `--regid=${website.username}`, '--clear-groups']
    const big = await oslo.exec([
      ...as,
      'dd',
      'if=/dev/urandom',
      `of=${website.documentRoot}/big`,
      'bs=1M',
      'count=400',
    ])
    expect(big.code).toBe(0)
    const id = await begin(website.id)
    const phase = (name: string) => until(`it is in ${name}`, async () => (await read(id)).phase === name, 10)
    await phase('seed')
    await killAgent(oslo)
    await letPass(300, 'nobody works on the move')
    await bergen.off()
    await bergen.up()
    for (let tries = 0; tries < 5; tries++) {
      const move = await until('the move stops', async () => {
        const now = await read(id)
        return (now.status === 'failed' || now.status === 'soaking') && now
      })
      if (move.status === 'soaking') break
      const stopped = move.workflow?.actions.find(({ status }) => status === 'failed' || status === 'blocked')
      await innkeeper.must('PATCH', `/websites/migrations/${id}/actions/${stopped?.id}`, { actionType: 'retry' })
    }
    expect(await read(id)).toMatchObject({ status: 'soaking' })
    const sum = (host: Host) => host.exec(['sha256sum', `${website.documentRoot}/big`]).then(({ stdout }) => stdout)
    expect(await sum(bergen)).toBe(await sum(oslo))
    expect((await visit(oslo.address, 'storm.example')).body).toContain('on e2e-bergen')
  })
})
