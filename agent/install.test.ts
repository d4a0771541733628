import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Op } from '@innkeeper/contract/agent/door'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { type Lab, openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildAgent } from './build.ts'
import { type Peer, peer } from './test/peer.ts'
import { labDir } from './test/practice.ts'
import { version } from './version.ts'

const node = join(import.meta.dirname, `../node_modules/node-linux-${process.arch}/bin/node`)
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'installation' : `installation (${verdict.reason})`, () => {
  let lab: Lab
  let host: Host
  let hub: Peer
  let agent: Buffer

  beforeAll(async () => {
    lab = await openLab({ dir: labDir })
    host = await freshHost('install')
    hub = await peer(host.gateway)
    agent = readFileSync((await buildAgent()).file)
    hub.state.files.set(`/download/node-${process.arch}`, readFileSync(node))
  })
  afterAll(async () => {
    await hub?.close()
    await host?.wipe()
    await lab?.close()
  })
  beforeEach(() => {
    hub.heard.answers.length = 0
  })

  async function freshHost(name: string): Promise<Host> {
    await (await lab.host(name)).wipe()
    return lab.up(name)
  }

  /** Serves the installer as the control plane does. */
  function handOut(token: string, content: Buffer | string = agent, release = version): void {
    const values: Record<string, string> = {
      URL: hub.url,
      URLS: `"${hub.url}"`,
      PIN: hub.pin,
      TOKEN: token,
      VERSION: release,
      SHA256_AGENT: sha256(agent),
      SHA256_NODE_X64: process.arch === 'x64' ? sha256(readFileSync(node)) : '',
      SHA256_NODE_ARM64: process.arch === 'arm64' ? sha256(readFileSync(node)) : '',
    }
    if (content !== agent) values.SHA256_AGENT = sha256(content)
    const script = readFileSync(join(import.meta.dirname, 'install.sh'), 'utf8')
    hub.state.files.set('/download/agent.mjs', content)
    hub.state.files.set(
      '/enrol',
      script.replace(/@([A-Z0-9_]+)@/g, (all, name: string) => values[name] ?? all),
    )
  }
  const command = () => `curl -fsS --insecure --pinnedpubkey 'sha256//${hub.pin}' ${hub.url}/enrol | sh`
  const install = (patience = 60) => host.exec(['env', `INNKEEPER_PATIENCE=${patience}`, 'sh', '-c', command()])
  const sh = async (...argv: string[]) => (await host.exec(argv)).stdout.trim()
  const heard = async () => {
    const before = hub.heard.heartbeats.length
    await expect.poll(() => hub.heard.heartbeats.length).toBeGreaterThan(before)
  }
  const op = (id: number, more: Partial<Op> = {}): Op => ({
    id,
    attempt: 1,
    name: 'system-user.ensure',
    subject: 'website:1',
    lane: 'short',
    task: 'run',
    inspect: false,
    input: { username: 'web1', limits: { memoryMb: 256, cpuPercent: 100, tasks: 64 } },
    ...more,
  })

  test('installs, enrols and starts by one command, and reports the machine', async () => {
    handOut('once-only-token')
    const look = 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null; sleep 0.02'
    const script = `touch /run/watched; (while [ -e /run/watched ]; do ${look}; done) | tr '\\0' '\\n' | sort -u`
    const watching = host.exec(['sh', '-c', script])
    await expect.poll(() => existsSync(`${host.root}/run/watched`)).toBe(true)
    const ran = await install()
    await sh('rm', '/run/watched')
    const commands = (await watching).stdout
    expect(ran.stderr + ran.stdout).toContain('has checked in')
    expect(ran.code).toBe(0)
    expect(commands).toContain('--enrol') // the process list was read in time
    expect(commands).not.toContain('once-only-token')
    expect(await sh('systemctl', 'is-active', 'innkeeper-agent')).toBe('active')
    expect(await sh('systemctl', 'is-enabled', 'innkeeper-agent')).toBe('enabled')
    expect(hub.heard.heartbeats.at(-1)).toMatchObject({
      agentVersion: version,
      os: expect.stringContaining('Debian'),
      addresses: [host.address],
      services: expect.arrayContaining([
        expect.objectContaining({ name: 'nginx', version: expect.stringMatching(/^1\./) }),
      ]),
      notEnforced: [expect.stringContaining('disk limits')],
    })
    const [, pid1] = (await sh('stat', '--format=%Y', '/proc/1')).match(/^(\d+)$/) ?? []
    expect(hub.heard.heartbeats.at(-1)?.uptime).toBeLessThan(Date.now() / 1000 - Number(pid1) + 5)
  })

  test('leaves the token in no file, log or process list; only root reads secrets', async () => {
    const found = await host.exec(['grep', '-rl', 'once-only-token', '/etc', '/opt', '/var', '/run', '/tmp', '/root'])
    expect(found.stdout).toBe('')
    expect(await sh('journalctl', '-u', 'innkeeper-agent')).not.toContain('once-only')
    expect(
      await sh(
        'stat',
        '--format=%a %U',
        '/etc/innkeeper/agent.json',
        '/var/lib/innkeeper',
        '/var/lib/innkeeper/journal.db',
      ),
    ).toBe('600 root\n700 root\n600 root')
  })

  test('runs operations after installation', async () => {
    hub.ready.push(op(1))
    expect(await hub.answer(1)).toMatchObject({ status: 'done', output: { limits: 'enforced' } })
    expect(await sh('id', '-un', 'web1')).toBe('web1')
    expect(hub.heard.chunks.some(({ id, text }) => id === 1 && text.includes('web1'))).toBe(true)
  })

  test('reports unknown after a kill during an operation, and then inspects', async () => {
    const packages = { name: 'packages.ensure', lane: 'long' as const, input: { packages: ['tree'] } }
    hub.ready.push(op(2, packages))
    await expect.poll(() => hub.heard.chunks.some(({ id }) => id === 2)).toBe(true)
    await sh('systemctl', 'kill', '--signal=KILL', 'innkeeper-agent')
    expect(await hub.answer(2)).toMatchObject({ status: 'unknown' })
    hub.ready.push(op(2, { ...packages, attempt: 2, inspect: true }))
    expect(await hub.answer(2, 2)).toMatchObject({ status: 'done' })
    expect((await host.exec(['tree', '--version'])).code).toBe(0)
  })

  test('answers a repeat after a restart from the journal', async () => {
    await sh('systemctl', 'restart', 'innkeeper-agent')
    await sh('userdel', 'web1')
    hub.ready.push(op(1))
    expect(await hub.answer(1)).toMatchObject({ status: 'done' })
    expect((await host.exec(['id', 'web1'])).code).not.toBe(0)
  })

  test('starts after a power cut', async () => {
    await host.off()
    await host.up()
    await heard()
  })

  test('fails with a used enrolment token, and the running agent stays connected', async () => {
    handOut('once-only-token')
    const ran = await install()
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain('refused')
    await heard()
  })

  test('installs nothing on another checksum or another key of the control plane', async () => {
    hub.state.token = 'second-token'
    handOut('second-token')
    hub.state.files.set('/download/agent.mjs', 'something else')
    writeFileSync(`${host.root}/opt/innkeeper/${version}/agent.mjs`, agent.subarray(0, -1)) // forces a download
    expect((await install()).stderr).toContain('another checksum')
    writeFileSync(`${host.root}/opt/innkeeper/${version}/agent.mjs`, agent)
    const other = Buffer.alloc(32).toString('base64')
    const ran = await host.exec(['sh', '-c', command().replace(hub.pin, other)])
    expect(ran.stderr).toContain('public key')
    await heard()
  })

  test('enrols again with a new token, without downloading Node again', async () => {
    handOut('second-token')
    const credentials = hub.heard.credentials.size
    hub.state.files.delete(`/download/node-${process.arch}`)
    const ran = await install()
    hub.state.files.set(`/download/node-${process.arch}`, readFileSync(node))
    expect(ran.stderr + ran.stdout).toContain('has checked in')
    expect(hub.heard.credentials.size).toBe(credentials + 1)
  })

  /** An agent that never checks in. */
  function mute(): string {
    const made = agent.toString().replace('"/agent/heartbeat", words', '"/agent/heartbeat", {}')
    expect(made).not.toBe(agent.toString())
    return made
  }

  test('rolls back an update that does not check in', async () => {
    hub.state.token = 'third-token'
    const broken = mute()
    handOut('third-token', broken, '9.9.9')
    const before = await sh('readlink', '/opt/innkeeper/current')
    const ran = await install(8)
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain('the one before it is back')
    expect(await sh('readlink', '/opt/innkeeper/current')).toBe(before)
    await heard()
  })

  /** An update operation as the control plane sends it. */
  const update = (id: number, content: Buffer | string, release = '9.9.10'): Op => {
    hub.state.files.set('/download/agent.mjs', content)
    const sums = { agent: sha256(content), node: { [process.arch]: sha256(readFileSync(node)) } }
    return op(id, { name: 'agent.update', lane: 'long', subject: `server:${id}`, input: { version: release, ...sums } })
  }
  /** Inspects the update repeatedly, by whichever agent runs, until its result is known. */
  const decided = async (wanted: Op): Promise<Answer> => {
    for (let attempt = 2; ; attempt++) {
      hub.ready.push({ ...wanted, attempt, inspect: true })
      const answer = await hub.answer(wanted.id, attempt)
      if (answer.status !== 'unknown') return answer
    }
  }
  const current = () => sh('readlink', '/opt/innkeeper/current')
  const another = (of: string) => Buffer.concat([agent, Buffer.from(`\n// ${of}\n`)])

  test('hands over to the new agent, which reports success', async () => {
    hub.state.files.delete(`/download/node-${process.arch}`) // the same Node must not be downloaded again
    hub.ready.push(update(20, another('next')))
    expect(await hub.answer(20)).toMatchObject({ status: 'unknown' })
    expect(await decided(update(20, another('next')))).toMatchObject({ status: 'done' })
    expect(await current()).toBe(`/opt/innkeeper/9.9.10-${sha256(another('next')).slice(0, 8)}`)
    await expect.poll(() => hub.heard.heartbeats.at(-1)?.build).toBe(sha256(another('next')))
    await expect.poll(() => sh('ls', '/etc/systemd/system')).not.toContain('innkeeper-agent-switch')
  })

  test('rolls back to the former agent when the new one does not check in, and reports that', async () => {
    const broken = mute()
    const before = await current()
    // a shorter timeout than a minute, for the test
    await sh('sh', '-c', 'mkdir -p /etc/systemd/system/innkeeper-agent.service.d')
    writeFileSync(
      `${host.root}/etc/systemd/system/innkeeper-agent.service.d/test.conf`,
      '[Service]\nEnvironment=INNKEEPER_PATIENCE=8\n',
    )
    await sh('systemctl', 'daemon-reload')
    await sh('systemctl', 'restart', 'innkeeper-agent')
    await heard()
    hub.ready.push(update(21, broken, '9.9.11'))
    expect(await hub.answer(21)).toMatchObject({ status: 'unknown' })
    expect(await decided(update(21, broken, '9.9.11'))).toMatchObject({
      status: 'failed',
      reason: 'The agent 9.9.11 did not check in within 8 s: the one before it is back',
    })
    expect(await current()).toBe(before)
    await heard()
  })

  test('runs one of the two agents after a power cut during an update', async () => {
    const broken = mute()
    const before = await current()
    hub.ready.push(update(22, broken, '9.9.12'))
    await expect.poll(current).toContain('9.9.12')
    await host.off()
    await host.up()
    await expect.poll(current).toBe(before)
    await heard()
  })

  test('refuses an update with another checksum', async () => {
    const before = await current()
    const wanted = update(23, another('third'))
    hub.state.files.set('/download/agent.mjs', another('of somebody else'))
    hub.ready.push(wanted)
    expect(await hub.answer(23)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('another checksum'),
    })
    expect(await current()).toBe(before)
    hub.state.files.set(`/download/node-${process.arch}`, readFileSync(node))
  })

  test('is kept running by an init script without systemd, and restarts after a kill', async () => {
    const plain = await freshHost('plaininst')
    try {
      hub.state.token = 'plain-token'
      handOut('plain-token')
      const hidden = `mount -t tmpfs tmpfs /run/systemd && ${command()}`
      const ran = await plain.exec(['unshare', '--mount', 'sh', '-c', hidden])
      expect(ran.stderr + ran.stdout).toContain('has checked in')
      const ofPlain = hub.heard.heartbeats.filter(({ addresses }) => addresses.includes(plain.address))
      expect(ofPlain.at(-1)?.notEnforced).toHaveLength(2)
      const script = async (verb: string) => (await plain.exec(['/etc/init.d/innkeeper-agent', verb])).code
      expect(await script('start')).toBe(0)
      expect(await script('status')).toBe(0)
      const pid = async () => (await plain.exec(['pgrep', '-f', 'current/agent.mjs'])).stdout.trim()
      const before = await pid()
      await plain.exec(['kill', '-9', before])
      await expect.poll(async () => (await pid()).replace(before, '')).toMatch(/^\d+$/)
      expect(await script('stop')).toBe(0)
      expect(await pid()).toBe('')
      expect(await script('status')).not.toBe(0)
    } finally {
      await plain.wipe()
    }
  })

  test('keeps running without work after revocation', async () => {
    hub.state.revoked = true
    hub.ready.push(op(50))
    await expect
      .poll(() => sh('journalctl', '-u', 'innkeeper-agent', '-n', '20', '-o', 'cat'))
      .toContain('enrolled again')
    expect(await sh('systemctl', 'is-active', 'innkeeper-agent')).toBe('active')
    expect(hub.ready).toHaveLength(1)
  })
})
