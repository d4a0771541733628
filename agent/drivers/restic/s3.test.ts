import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
const place = { username: 'web1', path: '/home/web1/shop.example' }
const password = 'a-repository-password-24'

/** Real restic against a real S3 server, which runs beside the practice host. */
describe.skipIf(!verdict.able)(verdict.able ? 'a bucket' : `a bucket (${verdict.reason})`, () => {
  let p: Practice<Host>
  let store: S3rver
  /** The same bucket, with signatures checked. */
  let strict: S3rver
  let strictPort: number
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-bucket-'))
  let there: {
    account: string
    password: string
    key: string
    s3: {
      endpoint: string
      bucket: string
      prefix: string
      region: string
      keyId: string
      pathStyle: boolean
      privateTargets: string[]
    }
  }
  const backUp = async (backup: number, excludes: string[] = []) => {
    const carried = await p.done('backup-files.run', { ...there, ...place, website: 12, backup, excludes })
    return carried.output as { snapshot: string; files: number; bytes: number; problem: string | null; empty?: boolean }
  }
  const sh = (text: string) => p.sh('su', 'web1', '-s', '/bin/bash', '-c', text)
  /** Names of the objects below a folder of the repository. */
  const objects = (below: string) => {
    try {
      return readdirSync(join(folder, 'innkeeper/vault/server-7', below), { recursive: true }).map(String)
    } catch {
      return []
    }
  }

  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 's3-1')
    const served = (allowMismatchedSignatures: boolean) =>
      new S3rver({
        ...{ address: '0.0.0.0', port: 0, silent: true, directory: folder, allowMismatchedSignatures },
        configureBuckets: [{ name: 'innkeeper', configs: [] }],
      })
    ;[store, strict] = [served(true), served(false)]
    const { port } = await store.run()
    strictPort = (await strict.run()).port
    const s3 = { endpoint: `http://${p.host.gateway}:${port}`, bucket: 'innkeeper', prefix: 'vault/' }
    there = {
      ...{ account: 'server-7', password, key: 'S3RVER' },
      s3: { ...s3, region: 'eu-north-1', keyId: 'S3RVER', pathStyle: true, privateTargets: [p.host.gateway] },
    }
    await p.done('backup-program.ensure', { server: false })
    await p.done('packages.ensure', { packages: ['cron'] })
    await p.done('system-user.ensure', { username: 'web1', limits })
    await p.done('document-root.ensure', { username: 'web1', domain: 'shop.example', path: `${place.path}/public` })
  })
  afterAll(async () => {
    await store?.close()
    await strict?.close()
    await p?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is tried before it is used: a wrong key and a missing bucket are reported', async () => {
    const { key } = there
    const s3 = { ...there.s3, endpoint: `http://${p.host.gateway}:${strictPort}` }
    await p.done('backup-store.check', { s3, key })
    expect(readdirSync(join(folder, 'innkeeper'))).toEqual([])
    const wrong = await p.op('backup-store.check', { s3, key: 'another-key' })
    expect(wrong.reason).toContain('403')
    const none = await p.op('backup-store.check', { s3: { ...s3, bucket: 'nowhere' }, key })
    expect(none.reason).toContain('NoSuchBucket')
    const away = await p.op('backup-store.check', { s3: { ...s3, endpoint: `http://${p.host.gateway}:9` }, key })
    expect(away.reason).toContain('gives no usable answer')
  })

  test('is at no inner address that the operator does not allow, and all such addresses look alike', async () => {
    const { key, s3 } = there
    const { endpoint } = s3
    const port = new URL(endpoint).port
    await p.sh('sh', '-c', `echo '${p.host.gateway} inner.example' >> /etc/hosts`)
    const asked = async (more: Partial<typeof s3>) => {
      const { reason } = await p.op('backup-store.check', { s3: { ...s3, privateTargets: [], ...more }, key })
      return reason?.replace(/\S+ gives/, 'X gives')
    }
    const words = new Set<string | undefined>()
    for (const host of [
      `${p.host.gateway}:${port}`,
      '169.254.169.254',
      '127.0.0.1:22',
      'localhost:22',
      `inner.example:${port}`,
    ])
      words.add(await asked({ endpoint: `http://${host}` }))
    words.add(await asked({ endpoint: 'http://169.254.169.254', privateTargets: ['0.0.0.0/0'] }))
    words.add(await asked({ endpoint: `http://${p.host.gateway}:9`, privateTargets: [p.host.gateway] }))
    expect([...words]).toEqual([expect.stringContaining('X gives no usable answer')])
    // restic resolves names itself
    const own = { ...there, account: 'server-8' }
    const inner = { ...s3, endpoint: `http://inner.example:${port}` }
    const refused = await p.op('backup-repository.ensure', { ...own, s3: { ...inner, privateTargets: [] } })
    expect(refused.reason).toContain('gives no usable answer')
    const reached = await p.op('backup-repository.ensure', { ...own, s3: inner })
    expect(reached.reason).toContain('bucket does not exist') // the store takes the name for that of a bucket
  })

  test('stores a website, which is restored exactly, and no secret is in an argument', async () => {
    await p.done('backup-repository.ensure', there)
    await p.done('backup-repository.ensure', there) // opens the repository that exists
    const wrong = await p.op('backup-repository.ensure', { ...there, password: 'another-password-24-long' })
    expect(wrong.reason).toContain('password')
    await sh(`cd ${place.path}/public && mkdir up && head -c 3000000 /dev/urandom > up/a && echo b > up/b`)
    const seen = p.host.exec([
      'bash',
      '-c',
      'touch /run/watched; (while [ -e /run/watched ]; do ps -eo args; sleep 0.02; done) | grep restic | sort -u',
    ])
    await expect.poll(() => existsSync(`${p.host.root}/run/watched`)).toBe(true)
    const { snapshot, files, bytes, problem } = await backUp(1)
    expect(problem).toBeNull()
    await p.sh('rm', '/run/watched')
    const shown = (await seen).stdout
    expect(shown).toContain('backup')
    expect(shown).not.toContain(password)
    expect(shown).not.toContain('S3RVER')
    const sums = () => sh(`cd ${place.path} && find . -type f -exec sha256sum {} + | sort`)
    const before = await sums()
    await sh(`rm -rf ${place.path}/public/up`)
    const which = { ...place, restore: 1 }
    await p.done('restore-files.prepare', { ...there, ...which, snapshot })
    await p.done('restore-files.swap', which, { id: 90_101 })
    await p.done('restore-files.keep', { ...which, keepDays: 5 })
    expect(await sums()).toBe(before)
    const { output } = await p.done('backup-tree.list', { ...there, snapshot, path: '/public/up' })
    expect((output as { items: { name: string }[] }).items.map(({ name }) => name)).toEqual(['a', 'b'])
    await p.done('backup-drill.run', { ...there, parts: [{ snapshot, files, bytes }] })
    const checked = await p.done('backup-repository.check', { ...there, share: 100, snapshots: [snapshot] })
    expect(checked.output).toEqual({ good: true, missing: [] })
    const look = await p.done('backup-repository.look', there)
    expect(look.output).toMatchObject({ snapshots: 1, locks: [], size: expect.any(Number) })
    expect((look.output as { size: number }).size).toBeGreaterThan(3_000_000)
  })

  test('forget and prune remove data that no snapshot needs', async () => {
    await sh(`head -c 4000000 /dev/urandom > ${place.path}/public/big`)
    const { snapshot } = await backUp(2)
    await sh(`rm ${place.path}/public/big`)
    await backUp(3)
    await p.done('backup-repository.forget', { ...there, snapshots: [snapshot] })
    const { output } = await p.done('backup-repository.prune', there)
    const { before, size } = output as { before: number; size: number }
    expect(before - size).toBeGreaterThan(3_900_000)
  })

  test('a killed backup leaves no lock', async () => {
    await sh(`head -c 40000000 /dev/urandom > ${place.path}/public/big`)
    const run = p.op('backup-files.run', { ...there, ...place, website: 12, backup: 4, excludes: [], limit: 500 })
    await expect.poll(() => objects('locks').length).toBeGreaterThan(0)
    await p.host.exec(['pkill', '-KILL', '-x', 'restic'])
    expect((await run).reason).toContain('restic ended with')
    await p.done('backup-repository.prune', there)
    expect((await p.done('backup-repository.look', there)).output).toMatchObject({ locks: [] })
    await sh(`rm ${place.path}/public/big`)
  })

  test('settings are restored with the cron jobs of the website, and other jobs stay', async () => {
    const cron = async () => (await p.host.exec(['crontab', '-u', 'web1', '-l'])).stdout
    const jobs = (input: string) => p.host.exec(['crontab', '-u', 'web1', '-'], { input })
    await jobs(`1 1 * * * /home/web1/other.example/run\n5 3 * * * php ${place.path}/nightly.php\n`)
    const which = { username: 'web1', folders: [place.path], everything: false }
    const kept = await p.done('backup-settings.run', { ...there, ...which, website: 12, backup: 5, text: '{"a":1}' })
    const { snapshot, jobs: count } = kept.output as { snapshot: string; jobs: number }
    expect(count).toBe(1)
    await jobs(`1 1 * * * /home/web1/other.example/changed\n7 7 * * * php ${place.path}/new.php\n`)
    const input = { ...there, ...which, snapshot, former: place.path, path: place.path }
    await p.done('crontab.restore', input, { id: 90_105 })
    await p.done('crontab.restore', input, { id: 90_105, attempt: 2 })
    expect(await cron()).toBe(`1 1 * * * /home/web1/other.example/changed\n5 3 * * * php ${place.path}/nightly.php\n`)
    await p.done('crontab.restore', input, { id: 90_105, task: 'undo', attempt: 3 })
    expect(await cron()).toContain('new.php')
  })

  test('distinguishes a folder without files from one whose files are left out', async () => {
    await p.sh('sh', '-c', `rm -rf ${place.path}/public/* ${place.path}/public/.[a-z]*; ls -A ${place.path}`)
    expect(await backUp(6)).toMatchObject({ files: 0, empty: true, problem: null })
    await sh(`echo x > ${place.path}/public/x.log`)
    expect(await backUp(7, ['*.log'])).toMatchObject({ files: 0, problem: expect.stringContaining('*.log') })
  })
})
