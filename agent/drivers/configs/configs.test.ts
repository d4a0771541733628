import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type ConfigFile, ConfigListing, type ConfigService } from '@innkeeper/contract/agent/configs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'configurations' : `configurations (${verdict.reason})`, () => {
  let p: Practice<Host>
  const at = (path: string) => `${p.host.root}${path}`
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'configs', 'databases')
    await p.done('packages.ensure', { packages: ['openssh-server', 'mariadb-server'] })
    await list()
    await p.provision()
    await p.done('mariadb.ensure', { listen: 'loopback' })
    await p.website('shop.example')
  })
  afterAll(() => p?.end())

  async function list(): Promise<Map<string, ConfigFile>> {
    const files = new Map<string, ConfigFile>()
    for (let after: string | undefined; ; ) {
      const { output } = await p.done('configs.list', after === undefined ? {} : { after })
      const page = ConfigListing.parse(output)
      for (const file of page.files) files.set(file.path, file)
      if (page.next === null) return files
      after = page.next
    }
  }
  async function contentOf(file: ConfigFile | undefined): Promise<string> {
    const { output } = await p.done('configs.read', { files: [{ path: file!.path, hash: file!.hash! }], gone: [] })
    return Buffer.from((output as { contents: { content: string }[] }).contents[0]!.content, 'base64').toString()
  }
  /** The present version of a service, in the form in which the control plane sends versions back. */
  async function version(service: ConfigService, ...paths: string[]) {
    const all = await list()
    const wanted = [...all.values()].filter(
      (file) => file.service === service && (!paths.length || paths.includes(file.path)),
    )
    return Promise.all(
      wanted.map(async (file) => {
        const { path, kind, hash, seal, mode, owner, group, target } = file
        const content =
          hash && kind === 'file' && !file.hidden ? Buffer.from(await contentOf(file)).toString('base64') : null
        return { path, kind, hash, seal, mode, owner, group, target, content }
      }),
    )
  }
  const site = '/etc/nginx/innkeeper/sites/shop.example.conf'
  const own = '/etc/nginx/conf.d/by-hand.conf'

  test('tells packages, Innkeeper and people apart', async () => {
    writeFileSync(at(own), 'server { listen 80; server_name hand.example; return 200 "hand"; }\n')
    await p.sh('sh', '-c', 'echo "# by hand" >> /etc/ssh/sshd_config')
    const files = await list()
    const by = (path: string) => [files.get(path)?.by, files.get(path)?.package]
    expect(by('/etc/nginx/nginx.conf')).toEqual(['package', expect.stringMatching(/^nginx/)])
    expect(by(site)).toEqual(['innkeeper', null])
    expect(by('/etc/mysql/mariadb.conf.d/90-innkeeper.cnf')).toEqual(['innkeeper', null])
    expect(by(own)).toEqual(['person', null])
    expect(by('/etc/ssh/sshd_config')[0]).toBe('person')
    expect(by('/etc/passwd')[0]).toBe('innkeeper') // useradd of the website's account
    expect(files.get('/etc/ssh/sshd_config')?.service).toBe('ssh')
    appendFileSync(at(site), '# a person was here\n')
    expect((await list()).get(site)?.by).toBe('person')
    await p.done('nginx-site.ensure', siteOf('shop.example', 'web1'))
    expect((await list()).get(site)?.by).toBe('innkeeper')
  })

  test('sends no secret, and shows by a mark when one has changed', async () => {
    const file = '/etc/mysql/conf.d/client.cnf'
    writeFileSync(at(file), '[client]\nuser = app\npassword = "Hunter2Hunter2"\n')
    const first = (await list()).get(file)
    expect(await contentOf(first)).toMatch(/^\[client\]\nuser = app\npassword = "‹secret [0-9a-f]{8}›"\n$/)
    writeFileSync(at(file), '[client]\nuser = app\npassword = "Other2Other2"\n')
    expect((await list()).get(file)?.hash).not.toBe(first?.hash)
    const files = await list()
    const secret = { hash: null, hidden: 'secret', seal: expect.stringMatching(/^[0-9a-f]{64}$/) }
    for (const path of ['/etc/shadow', '/etc/ssh/ssh_host_ed25519_key']) expect(files.get(path)).toMatchObject(secret)
    expect(JSON.stringify([...files.values()])).not.toContain('Hunter2')
  })

  test('a reset brings back what a person broke, and nginx serves again', async () => {
    const good = await version('nginx', own, site)
    expect((await p.get('hand.example')).body).toBe('hand')
    writeFileSync(at(own), 'server { listen 80; server_name hand.example; retrun 200 "typo"; }\n')
    expect((await p.host.exec(['nginx', '-t'])).code).not.toBe(0)
    const input = { service: 'nginx' as const, files: good, remove: [] }
    expect((await p.done('configs.preview', input)).output).toMatchObject({
      files: [
        { path: own, act: 'write' },
        { path: site, act: 'same' },
      ],
      effect: 'nginx reloads',
    })
    await p.done('configs.reset', input, { id: 9001 })
    expect((await p.get('hand.example')).body).toBe('hand')
    await p.done('configs.reset', input, { id: 9001, inspect: true })
    // undo restores the broken file; nginx refuses it and keeps its running configuration
    await p.done('configs.reset', input, { id: 9001, task: 'undo' })
    expect(readFileSync(at(own), 'utf8')).toContain('retrun')
    await p.done('configs.reset', input, { id: 9002 })
    expect((await list()).get(own)?.by).toBe('innkeeper')
  })

  test('a reset to a version that the service refuses or serves worse is undone automatically', async () => {
    const good = readFileSync(at(own), 'utf8')
    const [broken] = await version('nginx', own)
    const reset = (text: string) =>
      p.op('configs.reset', {
        service: 'nginx',
        files: [{ ...broken!, ...textOf(text) }],
        remove: [],
      })
    expect((await reset('server { listen 80; server_name hand.example; retrun 200; }\n')).reason).toContain('retrun')
    expect(readFileSync(at(own), 'utf8')).toBe(good)
    // passes nginx -t, but this file would answer for shop.example instead of the website's own file
    writeFileSync(at('/etc/nginx/conf.d/aaa.conf'), '')
    const [first] = await version('nginx', '/etc/nginx/conf.d/aaa.conf')
    const taken = textOf('server { listen 80; server_name shop.example; return 200 "taken"; }\n')
    const refused = await p.op('configs.reset', { service: 'nginx', files: [{ ...first!, ...taken }], remove: [] })
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('shop.example') })
    expect((await p.get('shop.example')).body).not.toBe('taken')
    expect(readFileSync(at('/etc/nginx/conf.d/aaa.conf'), 'utf8')).toBe('')
    rmSync(at('/etc/nginx/conf.d/aaa.conf'))
  })

  test('never resets a file of Innkeeper to content that Innkeeper has since replaced', async () => {
    const before = await version('nginx', site)
    await p.done('nginx-site.ensure', { ...siteOf('shop.example', 'web1'), state: 'maintenance' })
    const input = { service: 'nginx' as const, files: before, remove: [] }
    expect((await p.done('configs.preview', input)).output).toMatchObject({
      files: [{ act: 'kept', reason: 'Innkeeper changed this file since' }],
    })
    await p.done('nginx-site.remove', siteOf('shop.example', 'web1'))
    expect((await p.done('configs.reset', input)).said.join()).toContain('Innkeeper removed this file since')
    await p.done('nginx-site.ensure', siteOf('shop.example', 'web1'))
    const remove = { service: 'nginx' as const, files: [], remove: [site] }
    expect((await p.done('configs.reset', remove)).said.join()).toContain('Innkeeper wrote this file since')
  })

  test('resets sshd and MariaDB, with secrets that only the server has', async () => {
    const ssh = await version('ssh', '/etc/ssh/sshd_config')
    appendFileSync(at('/etc/ssh/sshd_config'), 'NoSuchOption yes\n')
    await p.done('configs.reset', { service: 'ssh', files: ssh, remove: [] })
    expect((await p.host.exec(['/usr/sbin/sshd', '-t'])).code).toBe(0)
    const file = '/etc/mysql/mariadb.conf.d/95-by-hand.cnf'
    writeFileSync(at(file), '[mysqld]\nmax_connections = 77\n[client]\npassword = Hunter2Hunter2\n')
    const good = await version('mariadb', file)
    writeFileSync(at(file), '[mysqld]\nmax_connections = 88\n[client]\npassword = Other2\n')
    await p.done('configs.reset', { service: 'mariadb', files: good, remove: [] })
    expect(readFileSync(at(file), 'utf8')).toContain('Hunter2Hunter2')
    expect(await p.sh('mariadb', '--no-defaults', '-BNe', 'select @@max_connections')).toBe('77\n')
    const bad = textOf('[mysqld]\nno_such_option = 1\n')
    const refused = await p.op('configs.reset', {
      service: 'mariadb',
      files: [{ ...good[0]!, seal: null, ...bad }],
      remove: [],
    })
    expect(refused.status).toBe('failed')
    expect(await p.sh('mariadb', '--no-defaults', '-BNe', 'select @@max_connections')).toBe('77\n')
  })

  test('a killed reset leaves whole files, and its repeat completes', async () => {
    const good = await version('nginx', own)
    writeFileSync(at(own), '# gone\n')
    const input = { service: 'nginx', files: good, remove: [] }
    for (const ms of [20, 80, 200, 400]) await p.killAfter(ms, 'configs.reset', input, 9100)
    await p.done('configs.reset', { ...input, service: 'nginx' }, { id: 9100, attempt: 9, inspect: true })
    expect((await p.get('hand.example')).body).toBe('hand')
  })
})

const textOf = (text: string) => ({
  hash: createHash('sha256').update(text).digest('hex'),
  content: Buffer.from(text).toString('base64'),
})
