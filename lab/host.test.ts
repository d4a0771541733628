import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Host } from './host.ts'
import type { Lab } from './lab.ts'
import { detach } from './network.ts'
import { debianSources } from './sources.ts'
import { onHosts, scratch, scratchLab, tracesOf } from './testing.ts'

describe('a practice server', onHosts, () => {
  let lab: Lab
  let one: Host
  let two: Host
  const sh = async (host: Host, line: string) => await host.exec(['sh', '-c', line])
  const page = async (from: Host, at: Host) =>
    await from.exec(['curl', '-s', '-o', '/dev/null', '-m', '1', '-w', '%{http_code}', `http://${at.address}/`])

  beforeAll(async () => {
    lab = await scratchLab()
    await lab.image()
    ;[one, two] = await Promise.all([lab.up('one'), lab.up('two')])
  })
  afterAll(async () => {
    await lab?.wipe()
  })

  test('is a Debian 12 with systemd as pid 1 and no unrequested services', async () => {
    expect((await sh(one, '. /etc/os-release; echo $PRETTY_NAME; hostname; cat /proc/1/comm')).stdout).toBe(
      'Debian GNU/Linux 12 (bookworm)\none\nsystemd\n',
    )
    const { stdout } = await sh(one, 'systemctl list-units --type=service --state=running --plain --no-legend')
    const services = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(services.sort()).toEqual(['dbus.service', 'systemd-journald.service'])
    expect((await one.exec(['systemctl', 'status'])).stderr).toBe('')
  })

  test('runs a command with input and answers its exit code, stdout and stderr', async () => {
    const argv = ['sh', '-c', 'cat; echo said >&2; exit 7']
    expect(await one.exec(argv, { input: 'given' })).toEqual({ code: 7, stdout: 'given', stderr: 'said\n' })
  })

  test('kills a command that exceeds its time limit, with its children', async () => {
    const ran = await one.exec(['sh', '-c', 'sleep 4711 & sleep 4711'], { timeoutMs: 300 })
    expect(ran.code).toBe(124)
    expect((await sh(one, 'pgrep -fc "^sleep 4711"')).stdout.trim()).toBe('0')
  })

  test('has a root folder that this machine can read and write', async () => {
    await sh(one, 'echo inside >/var/tmp/note')
    expect(await readFile(`${one.root}/var/tmp/note`, 'utf8')).toBe('inside\n')
  })

  test('cannot change the clock or the settings of this machine', async () => {
    const wanted = ['systemd-run', '--quiet', '--wait', '--pipe', 'date', '--set', '2001-01-01']
    expect((await one.exec(wanted)).code).not.toBe(0)
    expect((await sh(one, 'echo 60 >/proc/sys/vm/swappiness')).stderr).toMatch(/Read-only/i)
    expect(new Date().getFullYear()).toBeGreaterThan(2001)
  })

  test('enforces the limits of its services', async () => {
    const limited = ['systemd-run', '--quiet', '--wait', '--pipe', '-p', 'MemoryMax=30M', '-p', 'MemorySwapMax=0']
    const grow = ['php', '-d', 'memory_limit=-1', '-r', 'echo strlen(str_repeat("x", 100 << 20));']
    expect((await one.exec(['systemd-run', '--quiet', '--wait', '--pipe', ...grow])).stdout).toBe(String(100 << 20))
    expect((await one.exec([...limited, ...grow])).stdout).toBe('')
  })

  test('serves another host until its cable is pulled, and again after it is reconnected', async () => {
    await sh(two, 'systemctl start nginx')
    expect((await page(one, two)).stdout).toBe('200')
    await two.cut()
    expect((await page(one, two)).stdout).toBe('000')
    await two.heal()
    await expect.poll(async () => (await page(one, two)).stdout).toBe('200')
  })

  test('reaches this machine and nothing beyond', async () => {
    expect((await sh(one, `curl -s -m 2 http://${one.gateway}:3142/`)).stdout).toMatch(/not among the package sources/)
    expect((await sh(one, 'curl -s -m 2 http://192.0.2.1/')).code).toBe(7)
  })

  test('installs a package through the proxy, which allows only package sources', async () => {
    expect((await sh(one, 'apt-get update && apt-get install --yes tree')).stderr).not.toMatch(/^E:/m)
    expect((await sh(one, 'tree --version')).stdout).toMatch(/^tree v2/)
    const proxied = ['curl', '-s', '-w', '%{http_code}', '-o', '/dev/null', '-x', `http://${one.gateway}:3142`]
    expect((await one.exec([...proxied, 'http://example.com/'])).stdout).toBe('403')
    const [source] = await debianSources()
    const { host, pathname } = source!.uri
    expect((await one.exec([...proxied, '-d', 'x=1', `http://${host}${pathname}`])).stdout).toMatch(/40[35]/)
    expect((await one.exec([...proxied, `https://${host}/`])).code).not.toBe(0)
  })

  test('keeps its disk, address and machine id across a power cut', async () => {
    const id = (await sh(one, 'cat /etc/machine-id')).stdout
    const { address } = one
    await sh(one, 'echo kept >/etc/kept; echo "192.0.2.9 mine" >>/etc/hosts')
    await one.off()
    expect(await one.isOn()).toBe(false)
    await expect(one.exec(['true'])).rejects.toThrow('one is off')
    await one.up()
    expect(one.address).toBe(address)
    expect((await sh(one, 'cat /etc/kept /etc/machine-id; tail -1 /etc/hosts')).stdout).toBe(
      `kept\n${id}192.0.2.9 mine\n`,
    )
    expect((await sh(two, 'cat /etc/machine-id')).stdout).not.toBe(id)
  })

  test('shuts down cleanly on request', async () => {
    const unit = '[Service]\nExecStart=/bin/sleep infinity\nExecStopPost=/usr/bin/touch /var/tmp/stopped-in-order\n'
    await one.exec(['tee', '/etc/systemd/system/witness.service'], { input: unit })
    await sh(one, 'systemctl start witness')
    await one.down()
    await one.up()
    expect((await sh(one, 'ls /var/tmp/stopped-in-order')).code).toBe(0)
  })

  test('boots again after its processes were killed', async () => {
    await sh(one, 'echo survived >/var/tmp/kill')
    process.kill(one.pid, 'SIGKILL')
    await expect.poll(() => one.isOn()).toBe(false)
    await one.up()
    expect((await sh(one, 'cat /var/tmp/kill')).stdout).toBe('survived\n')
  })

  test('is adopted, not started twice, by another process that opens its lab', async () => {
    const other = await scratchLab(lab.dir)
    const same = await other.up('one')
    expect(same.pid).toBe(one.pid)
    await other.leave()
    expect(await one.isOn()).toBe(true)
    expect((await page(one, two)).stdout).toBe('200')
  })

  test('is booted again if it runs without its link, as after a power-off that was cut short', async () => {
    const before = one.pid
    await detach(lab.network, Number(one.address.split('.').at(-1)))
    expect((await page(one, two)).stdout).toBe('000')
    await lab.up('one')
    expect(one.pid).not.toBe(before)
    await expect.poll(async () => (await page(one, two)).stdout).toBe('200')
  })

  test('has an empty disk after a wipe, also if another host was created meanwhile', async () => {
    await sh(one, 'echo old >/etc/old')
    await one.wipe()
    const three = await lab.up('three')
    await one.up()
    expect((await sh(one, 'ls /etc/old')).code).not.toBe(0)
    expect(new Set([one.address, two.address, three.address]).size).toBe(3)
    expect((await page(three, two)).stdout).toBe('200')
  })

  test('gets as much of a processor as INNKEEPER_LAB_CORES says', async () => {
    vi.stubEnv('INNKEEPER_LAB_CORES', '0.2')
    const slow = await lab.up('slow')
    vi.unstubAllEnvs()
    const busy = 'end=$((SECONDS + 4)); while ((SECONDS < end)); do :; done; times'
    const { stdout } = await slow.exec(['systemd-run', '--wait', '--pipe', '--quiet', 'bash', '-c', busy])
    const [, minutes, seconds] = stdout.match(/^(\d+)m([\d.]+)s/) ?? []
    expect(Number(minutes) * 60 + Number(seconds)).toBeLessThan(1.2) // of four seconds; a busy machine gives less
    await slow.wipe()
  })

  test('writes as fast as INNKEEPER_LAB_DISK says', async () => {
    vi.stubEnv('INNKEEPER_LAB_DISK', '1')
    const slow = await lab.up('slow')
    vi.unstubAllEnvs()
    const begun = performance.now()
    const write = ['dd', 'if=/dev/zero', 'of=/root/file', 'bs=1M', 'count=3', 'conv=fsync']
    expect(await slow.exec(['systemd-run', '--wait', '--pipe', '--quiet', ...write])).toMatchObject({ code: 0 })
    expect(performance.now() - begun).toBeGreaterThan(2_000) // 3 MiB at 1 MB a second; a busy machine needs longer
    await slow.wipe()
  })

  test('has a name that is valid in a command, a path and a network link', async () => {
    for (const name of ['', 'One', '1st', '../one', 'a b', 'thirteenchars', 'a;b']) {
      await expect(lab.up(name)).rejects.toThrow('is not a host name')
    }
  })
})

describe('a lab', onHosts, () => {
  test('is isolated from the lab of another folder', async () => {
    const [here, there] = await Promise.all([scratchLab(), scratchLab()])
    const [ours, theirs] = await Promise.all([here.up('same'), there.up('same')])
    expect(ours.address).not.toBe(theirs.address)
    expect(here.network.bridge).not.toBe(there.network.bridge)
    const ask = ['curl', '-s', '-m', '1', `http://${theirs.address}/`]
    await theirs.exec(['systemctl', 'start', 'nginx'])
    expect((await ours.exec(ask)).code).toBe(7) // no route
    await here.wipe()
    expect((await theirs.exec(['hostname'])).stdout).toBe('same\n')
    await there.wipe()
  })

  test('leaves no mount, link, cgroup or process after 20 power cycles', async () => {
    const lab = await scratchLab(scratch())
    const before = { ...(await tracesOf(lab.dir)), links: 0 } // the bridge exists while the lab is open
    const table = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').length
    const host = await lab.up('cycle')
    const during = await tracesOf(lab.dir)
    expect(during).toMatchObject({ links: 2 })
    expect(during.groups).toBeGreaterThan(0)
    expect(during.processes).toBeGreaterThan(2)
    for (let cycle = 0; cycle < 20; cycle += 1) {
      await host.off()
      await host.up()
    }
    await lab.close()
    expect(await tracesOf(lab.dir)).toEqual(before)
    expect((await readFile('/proc/self/mountinfo', 'utf8')).split('\n').length).toBe(table)
    await (await scratchLab(lab.dir)).wipe()
  })
})
