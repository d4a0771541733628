import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLab } from './lab.ts'
import { imagesDir } from './places.ts'
import { onHosts, scratch, tracesOf } from './testing.ts'

const program = fileURLToPath(new URL('practice.ts', import.meta.url))
const env = (data: string) => ({ ...process.env, INNKEEPER_DATA: data, INNKEEPER_LAB_IMAGE: imagesDir() })

/** The order to power off. */
const last = '{"stop":true}\n'

type Said = { event: string; name?: string; code?: number; output?: string; reason?: string; address?: string }

/** Starts the program like the server does; `said` collects its events. */
function start(data: string, by: string[] = []) {
  const [command = '', ...args] = [...by, process.execPath, program, 'practice-1', 'practice-2']
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: env(data),
    detached: true,
  })
  const said: Said[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)))
  const hear = async (event: string) => {
    await expect.poll(() => said.find((one) => one.event === event)).toBeDefined()
  }
  return { child, said, hear }
}

describe('the practice servers of a running Innkeeper', onHosts, () => {
  let data: string
  const nothing = { mounts: 0, links: 0, groups: 0, processes: 0 }
  const left = async () => await tracesOf(join(data, 'lab'))

  beforeAll(async () => {
    data = scratch()
    const lab = await openLab({ dir: join(data, 'lab'), images: imagesDir() })
    await lab.image()
    await lab.leave()
  })
  afterAll(async () => {
    if (!data) return
    await (await openLab({ dir: join(data, 'lab'), images: imagesDir() })).wipe()
    await rm(data, { recursive: true, force: true })
  })

  test('boot, run commands, and power off at once when told to', async () => {
    const { child, said, hear } = start(data)
    await hear('ready')
    const hosts = said.filter(({ event }) => event === 'host')
    expect(hosts.map(({ name }) => name).sort()).toEqual(['practice-1', 'practice-2'])
    const argv = ['sh', '-c', 'hostname; echo told >/etc/told; exit 3']
    child.stdin.write(`${JSON.stringify({ run: 'practice-2', argv })}\n`)
    await hear('ran')
    expect(said.at(-1)).toEqual({ event: 'ran', name: 'practice-2', code: 3, output: 'practice-2\n' })
    expect((await left()).groups).toBeGreaterThan(0)

    const began = Date.now()
    child.stdin.end(last)
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(Date.now() - began).toBeLessThan(5000) // a shutdown in order waits for its services
    expect(await left()).toEqual(nothing)
  })

  test('keep their disks for the next start', async () => {
    const { child, said, hear } = start(data)
    await hear('ready')
    child.stdin.write(`${JSON.stringify({ run: 'practice-2', argv: ['cat', '/etc/told'] })}\n`)
    await hear('ran')
    expect(said.at(-1)).toMatchObject({ code: 0, output: 'told\n' })
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(await left()).toEqual(nothing)
  })

  test('answer invalid orders and continue', async () => {
    const { child, said, hear } = start(data)
    await hear('ready')
    for (const order of ['{', '{"run":"practice-9","argv":["true"]}', '{"run":"practice-1","argv":"true"}']) {
      child.stdin.write(`${order}\n`)
    }
    await expect.poll(() => said.filter(({ event }) => event === 'ran').length).toBe(3)
    for (const { code, output } of said.slice(-3))
      expect([code, output]).toEqual([1, expect.stringMatching(/^Not und/)])
    child.stdin.end(last)
    await once(child, 'exit')
  })

  test('one more is added, under a name of practice servers only', async () => {
    const { child, said, hear } = start(data)
    await hear('ready')
    for (const add of ['practice-2', 'web-1', '../practice-3']) child.stdin.write(`${JSON.stringify({ add })}\n`)
    await expect.poll(() => said.filter(({ code }) => code === 1).length).toBe(3)
    child.stdin.write(`${JSON.stringify({ add: 'practice-3' })}\n`)
    await expect.poll(() => said.at(-1)).toMatchObject({ event: 'host', name: 'practice-3' })
    child.stdin.write(`${JSON.stringify({ run: 'practice-3', argv: ['hostname'] })}\n`)
    await expect.poll(() => said.at(-1)).toMatchObject({ code: 0, output: 'practice-3\n' })
    child.stdin.end(last)
    await once(child, 'exit')
    expect(await left()).toEqual(nothing)
  })

  test('go on after the death of their Innkeeper, and the next start takes them over running', async () => {
    const first = start(data)
    await first.hear('ready')
    const { processes } = await left()
    const ended = once(first.child, 'exit')
    first.child.stdout.destroy()
    first.child.stdin.end() // as the kernel does for a server that was killed
    const second = start(data)
    await second.hear('ready')
    await ended
    expect((await left()).processes).toBe(processes)
    second.child.stdin.write(`${JSON.stringify({ run: 'practice-1', argv: ['hostname'] })}\n`)
    await second.hear('ran')
    expect(second.said.at(-1)).toMatchObject({ code: 0, output: 'practice-1\n' })
    second.child.stdin.end(last)
    await once(second.child, 'exit')
    expect(await left()).toEqual(nothing)
  })

  test('are adopted by the next start after the program was killed', async () => {
    const first = start(data)
    await first.hear('ready')
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    expect((await left()).processes).toBeGreaterThan(0)
    const second = start(data)
    await second.hear('ready')
    second.child.stdin.end(last)
    await once(second.child, 'exit')
    expect(await left()).toEqual(nothing)
  })

  test('power off when told to during boot', async () => {
    const { child } = start(data)
    await expect.poll(async () => (await left()).processes, { interval: 20 }).toBeGreaterThan(0)
    child.stdin.end(last)
    await once(child, 'exit')
    expect(await left()).toEqual(nothing)
  })
})

describe('without support for practice servers', () => {
  const tell = async (by: string[]) => {
    const data = mkdtempSync(join(tmpdir(), 'innkeeper-lab-'))
    const { child, said } = start(data, by)
    const [code] = await once(child, 'close')
    await rm(data, { recursive: true, force: true })
    return { code, said }
  }

  const asRoot = process.getuid?.() === 0 ? {} : { skip: true, meta: { why: 'only root can drop a capability' } }
  test('the program says what the kernel of a plain container refuses', asRoot, async () => {
    const { code, said } = await tell(['setpriv', '--bounding-set', '-sys_admin'])
    expect(said.at(-1)).toMatchObject({
      event: 'unable',
      reason: expect.stringMatching(/does not allow new namespaces/),
    })
    expect(code).toBe(3)
  })

  test('the program says that it needs root', async () => {
    const { code, said } = await tell(process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [])
    expect(said.at(-1)).toMatchObject({ event: 'unable', reason: expect.stringMatching(/need root/) })
    expect(code).toBe(3)
  })
})
