import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { sender } from '../../transfer/rsync.ts'

const verdict = await can(labDir)
const token = 'ab'.repeat(32)
const from = { username: 'web1', path: '/home/web1/shop.example' }
/** Another account on the destination, with another uid. */
const to = { username: 'web2', path: '/home/web2/shop.example' }

describe.skipIf(!verdict.able)(verdict.able ? 'transfers' : `transfers (${verdict.reason})`, () => {
  let source: Practice<Host>
  let target: Practice<Host>
  let opened: { transfer: string; token: string; address: string; port: number }

  beforeAll(async () => {
    source = await practice(await openLab({ dir: labDir }), 'move-src')
    target = await practice(source.lab, 'move-dst')
    await source.done('system-user.ensure', { username: 'web1', limits })
    await target.done('system-user.ensure', { username: 'other', limits })
    await target.done('system-user.ensure', { username: 'web2', limits })
    await source.done('document-root.ensure', { username: 'web1', domain: 'shop.example', path: `${from.path}/public` })
    await target.done('document-root.ensure', { username: 'web2', domain: 'shop.example', path: `${to.path}/public` })
    await keepers()
    opened = { transfer: 'move-1', token, address: source.host.address, port: await open() }
  })
  afterAll(async () => {
    await target?.host.wipe()
    await source?.end()
  })

  /** The source's agent, which serves all open transfers after its start. */
  async function keepers(): Promise<void> {
    const bundle = await rolldown({
      input: join(import.meta.dirname, '../../test/keep.ts'),
      platform: 'node',
      external: /^node:/,
    })
    await bundle.write({ file: `${source.host.root}/opt/test/keep.mjs`, format: 'esm', codeSplitting: false })
    await bundle.close()
  }
  const restart = async () => {
    await source.host.exec(['systemctl', 'stop', 'keep'])
    await source.host.exec(['rm', '-f', '/run/keep.ready'])
    await source.sh('systemd-run', '--collect', '--unit=keep', '/opt/test/node', '/opt/test/keep.mjs')
    const listens = 'for i in $(seq 100); do test -e /run/keep.ready && exit 0; sleep 0.1; done; exit 1'
    await source.sh('sh', '-c', listens)
  }
  /**
   * Opens a transfer: once its note exists, the next agent process serves it, because this process ends with its test.
   */
  async function open(files: string[] = []): Promise<number> {
    await source.host.exec(['systemctl', 'stop', 'keep'])
    const wanted = { transfer: 'move-1', token, minutes: 5, folders: [from], files }
    const { output } = await source.done('transfer.open', wanted, { alone: true })
    await restart()
    return (output as { port: number }).port
  }
  const asWeb1 = (script: string) =>
    source.sh(
      'setpriv',
      '--reuid=web1',
      '--regid=web1',
      '--clear-groups',
      'sh',
      '-c',
      `cd ${from.path}/public && ${script}`,
    )
  const there = (script: string) => target.sh('sh', '-c', `cd ${to.path}/public && ${script}`)
  const pull = (mode: 'seed' | 'delta', more: object = {}) =>
    target.op('transfer.pull', { ...opened, ...to, from, mode, ...more })
  /** A copy that must succeed. */
  const completes = async (mode: 'seed' | 'delta', asked: object = {}) => {
    const { status, reason, output } = await target.op('transfer.pull', { ...opened, ...to, from, mode }, asked)
    expect([status, reason]).toEqual(['done', undefined])
    return output
  }
  /** Waits until a part of the huge file has arrived. */
  const copying = () =>
    target.sh(
      'sh',
      '-c',
      `for i in $(seq 600); do ls -A ${to.path}/public | grep -q '^[.]huge' && exit 0; sleep 0.05; done; exit 1`,
    )
  const verify = () => target.op('transfer.verify', { ...opened, ...to, from })

  test('a look names what a home contains besides websites', async () => {
    await asWeb1(
      'mkdir -p /home/web1/other.example && echo x > /home/web1/.env && ln -sf shop.example /home/web1/former.example',
    )
    const homes = [{ username: 'web1', websites: ['shop.example', 'other.example'] }]
    const { output } = await source.done('migration.look', { phpVersion: '8.2', folders: [], homes })
    expect(output).toMatchObject({ beside: ['web1/.env'] })
    await asWeb1('rm -r /home/web1/other.example /home/web1/.env /home/web1/former.example')
  })
  test('copies a folder unchanged, with non-UTF-8 names, links, modes and times, owned by the account there', async () => {
    await asWeb1(`printf x > "$(printf 'a\\nb')" && printf y > "$(printf '\\377\\376')" && printf z > ./-rf
      mkdir -p deep/er && dd if=/dev/zero of=big bs=1M count=8 status=none && ln big same
      ln -s /etc/shadow out && ln -s deep in && chmod 640 ./-rf && touch -d 2020-02-02 deep/er
      setfacl -m u:www-data:r big; setfattr -n user.note -v kept big || true; mkfifo pipe`)
    const pulled = await pull('seed')
    expect(pulled).toMatchObject({ status: 'done', output: { files: expect.any(Number) } })
    expect(await verify()).toMatchObject({ status: 'done', output: { differences: 0 } })
    expect(await there("find . -printf '%P %m %y %l\\0' | sort -z | sha256sum")).toBe(
      await source.sh('sh', '-c', `cd ${from.path}/public && find . -printf '%P %m %y %l\\0' | sort -z | sha256sum`),
    )
    expect((await there('stat -c %h-%U big same')).trim()).toBe('2-web2\n2-web2')
    expect(await there('getfacl -c big')).toContain('user:www-data:r--')
    expect((await there('readlink out')).trim()).toBe('/etc/shadow')
  })

  test('copies changes and deletions with the delta; names and repairs remaining differences', async () => {
    await asWeb1('rm -rf deep && echo new > late')
    expect(await completes('delta')).toMatchObject({ copied: 1 })
    await asWeb1('echo newer > late && touch later')
    expect(await verify()).toMatchObject({
      status: 'done',
      said: expect.arrayContaining([expect.stringContaining('late')]),
    })
    expect(await there('cat late; ls later')).toBe('newer\nlater\n')
    // the same time and size: only the checksum differs
    await source.sh('sh', '-c', `cd ${from.path}/public && printf NEW > late && touch -d 2021-01-01 late`)
    await target.sh('sh', '-c', `cd ${to.path}/public && printf OLD > late && touch -d 2021-01-01 late`)
    expect(await verify()).toMatchObject({
      status: 'done',
      said: expect.arrayContaining([expect.stringContaining('late')]),
    })
    expect(await there('cat late')).toBe('NEW')
  })

  test('compares within the freeze only what has changed since the comparison', async () => {
    const both = { ...opened, ...to, from }
    const compared = await target.op('transfer.compare', both)
    expect([compared.status, compared.reason]).toEqual(['done', undefined])
    const { since, here } = compared.output as { since: number; here: number }
    const freeze = async () => {
      const copied = await pull('delta', { untouchedSince: here })
      const verified = await target.op('transfer.verify', { ...both, since })
      expect([copied.status, verified.status, verified.reason]).toEqual(['done', 'done', undefined])
      return { copied: copied.said.join(' '), verified: verified.said.join(' ') }
    }
    expect(await freeze()).toMatchObject({
      copied: expect.stringContaining('0 of'),
      verified: expect.stringContaining('the same'),
    })
    // same size and time as before: only the change time of the inode differs; one name is not UTF-8
    await asWeb1(`printf odd > "$(printf 'zq\\n\\377')"; printf AFTER > late; touch -d 2021-01-01 late big`)
    await freeze()
    await asWeb1(
      `printf ODD > "$(printf 'zq\\n\\377')"; touch -r late zq*; printf after > late; touch -d 2021-01-01 late`,
    )
    await there('touch -d 2021-01-01 zq*')
    const late = await freeze()
    expect(late.verified + late.copied).toMatch(/late|written here/)
    expect(await there('cat late zq*')).toBe('afterODD')
    await asWeb1('rm zq* && touch late')
    await freeze()
    expect(await there('ls')).not.toMatch(/^zq/m)
    // a write on the destination only: the copy compares everything again
    await target.sh('sh', '-c', `cd ${to.path}/public && printf OTHER > late && touch -r big late`)
    await asWeb1('touch -r big late')
    expect((await freeze()).copied).toContain('was written here since the comparison')
    expect(await there('cat late')).toBe('after')
  })

  test('the source sends no list of files without a time, and no list that the client chose', () => {
    const asked = 'source rsync --server --sender -lHtpAXrcRe.iLsfxCIvu --files-from changed --from0 . .'
    expect(sender(asked, '/home/a/b')).toBeUndefined()
    expect(sender(asked, '/home/a/b', '/run/list')).toContain('--files-from=/run/list')
    expect(sender(asked.replace('changed', '/etc/passwd'), '/home/a/b', '/run/list')).toBeUndefined()
    expect(sender(asked.replace(' --files-from changed --from0', ''), '/home/a/b', '/run/list')).toBeUndefined()
  })

  test('refuses another key, transfer, folder and rsync module', async () => {
    for (const wrong of [{ token: 'cd'.repeat(32) }, { transfer: 'move-2' }]) {
      const refused = await pull('seed', wrong)
      expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('does not give us')])
      expect(refused.reason).not.toContain(token)
    }
    await source.sh('sh', '-c', 'mkdir -p /home/web1/private && echo secret > /home/web1/private/key')
    const other = await pull('seed', { from: { username: 'web1', path: '/home/web1/private' } })
    expect(other.status).toBe('failed')
    expect((await target.host.exec(['grep', '-r', 'secret', to.path])).code).toBe(1)
  })

  test('tolerates files that change during the copy, before the freeze', async () => {
    const churn =
      asWeb1(`for i in $(seq 150); do mkdir -p churn && for j in 1 2 3 4 5 6 7 8; do echo $i > churn/$j; done
      : > churn/1; rm -rf churn; done; mkdir -p churn && echo last > churn/one`)
    for (let i = 0; i < 4; i++) await completes('seed')
    await churn
    await completes('delta')
    expect(await verify()).toMatchObject({ status: 'done' })
  })

  test('fails on unreadable files instead of omitting them', async () => {
    await source.sh('sh', '-c', `echo root > ${from.path}/public/roots && chmod 600 ${from.path}/public/roots`)
    const stopped = await pull('delta')
    expect([stopped.status, stopped.reason]).toEqual(['failed', expect.stringContaining('roots')])
    await source.sh('rm', `${from.path}/public/roots`)
    await completes('delta')
  })

  test('serves on the same port after a restart of the source’s agent; the destination continues', async () => {
    await asWeb1('dd if=/dev/urandom of=huge bs=1M count=300 status=none')
    const slow = completes('seed')
    await copying()
    await source.host.exec(['systemctl', 'kill', '--signal=KILL', 'keep'])
    await restart()
    await slow
    await asWeb1('dd if=/dev/urandom of=huge bs=1M count=300 status=none')
    await target.killAfter(400, 'transfer.pull', { ...opened, ...to, from, mode: 'seed' })
    await completes('seed', { inspect: true })
    await completes('delta')
    expect(await verify()).toMatchObject({ status: 'done' })
  })

  test('continues after a power cut of the destination, with the same result', async () => {
    await asWeb1('dd if=/dev/urandom of=huge bs=1M count=400 status=none')
    const cut = pull('seed').catch(() => undefined) // the host loses its power
    await copying()
    await target.host.off()
    await cut
    await target.host.up()
    await completes('seed')
    await completes('delta') // removes partial files of the interrupted copy
    expect(await verify()).toMatchObject({ status: 'done' })
  })

  test('copies a dump completely or not at all; undo deletes it', async () => {
    await source.sh(
      'sh',
      '-c',
      'mkdir -p -m 700 /var/lib/innkeeper/spool && echo dump > /var/lib/innkeeper/spool/shop.sql.gz',
    )
    opened.port = await open(['shop.sql.gz'])
    const sha256 = createHash('sha256').update('dump\n').digest('hex')
    const fetch = (more: object = {}) => ({ ...opened, file: 'shop.sql.gz', sha256, ...more })
    const wrong = await target.op('transfer.fetch', fetch({ sha256: 'ab'.repeat(32) }))
    expect([wrong.status, wrong.reason]).toEqual(['failed', expect.stringContaining('the wrong checksum')])
    expect((await target.op('transfer.fetch', fetch({ file: 'other.sql.gz' }))).status).toBe('failed')
    const { id } = await target.done('transfer.fetch', fetch())
    expect(await target.sh('stat', '-c', '%a', '/var/lib/innkeeper/spool/shop.sql.gz')).toBe('600\n')
    await target.done('transfer.fetch', fetch(), { id, task: 'undo' })
    expect(await target.sh('ls', '/var/lib/innkeeper/spool')).toBe('')
  })

  test('deletes the dumps and logs of a transfer that is over, not cron jobs and not those of other transfers', async () => {
    const spool = '/var/lib/innkeeper/spool'
    const stay = ['move-1-4.cron.gz', 'move-10-seed-4.sql.gz', 'removed-1.sql.gz']
    const go = ['move-1-seed-4.sql.gz', 'move-1-before-4.sql.gz', 'move-1-access-4.log.gz']
    await target.sh('sh', '-c', `cd ${spool} && touch ${[...stay, ...go].join(' ')}`)
    const { id } = await target.done('transfer.close', { transfer: 'move-1', clear: true })
    expect((await target.sh('ls', spool)).trim().split('\n')).toEqual(stay)
    await target.sh('touch', `${spool}/move-1-seed-4.sql.gz`) // an agent that was killed before it deleted all
    expect(await target.op('transfer.close', { transfer: 'move-1', clear: true }, { id, inspect: true })).toMatchObject(
      {
        said: expect.arrayContaining([expect.stringContaining('1 spool files')]),
      },
    )
    await target.sh('sh', '-c', `rm ${spool}/*`)
  })

  test('serves nothing after closing, which is idempotent', async () => {
    await source.host.exec(['systemctl', 'stop', 'keep'])
    await source.done('transfer.close', { transfer: 'move-1' }, { alone: true })
    await source.done('transfer.close', { transfer: 'move-1' }, { alone: true })
    await restart()
    expect((await pull('seed')).reason).toContain('ECONNREFUSED')
    expect(await source.sh('ls', '/var/lib/innkeeper/transfers')).toBe('')
  })
})
