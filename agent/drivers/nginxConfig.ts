import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../kit/driver.ts'
import { absent, exclusive, probe, type Ran, read, remove, replace, run, service } from '../kit/host.ts'

/** The local address where the running nginx shows which generation of its configuration it serves. */
export const generationPort = 4479
const generationFile = '/etc/nginx/innkeeper/generation.conf'
const nginx = service('nginx')

/** Files and their content; undefined: the file goes. */
export type Changes = Record<string, string | undefined>
type Voice = Pick<Context<'nginx.ensure'>, 'say' | 'fence'>

/**
 * Changes nginx's configuration, or leaves it as it was: files are put in place, nginx's own checker and `judge` (over
 * the whole effective configuration) decide, nginx reloads, **shows the new generation**, and `check` asks it over
 * HTTP. A reload that returns 0 proves nothing. Whatever fails, the last good files come back and are served again.
 */
export function apply(
  { say, fence }: Voice,
  changes: Changes,
  { judge, check }: { judge?: (dump: Dump) => void; check?: () => Promise<void> } = {},
): Promise<{ generation: number; changed: boolean }> {
  return exclusive('nginx', async () => {
    const current = generationOf(await read(generationFile))
    if ((await sameAs(changes)) && current > 0 && (await runningGeneration()) === current) {
      await check?.()
      return { generation: current, changed: false }
    }
    const generation = Math.max(current, (await runningGeneration()) ?? 0) + 1
    fence()
    const good = await keepGood(changes)
    try {
      await write({ ...changes, [generationFile]: generationServer(generation) })
      const dump = await test([...Object.keys(changes), generationFile])
      judge?.(dump)
    } catch (error) {
      await write(good)
      await forgetGood(changes)
      throw error
    }
    const was = await nginx.state()
    try {
      fence()
      await take(was, generation)
      say(`nginx serves generation ${generation} of its configuration`)
      await check?.()
    } catch (error) {
      await goBack(good, was, generation + 1, say)
      await forgetGood(changes)
      throw error
    }
    await forgetGood(changes)
    return { generation, changed: true }
  })
}

/** The running nginx's generation; undefined when it does not answer. */
export async function runningGeneration(): Promise<number | undefined> {
  const { status, text } = await probe('127.0.0.1', generationPort, 'localhost')
  return status === 200 ? Number(text) : undefined
}

/** Whether the files have this content, and the running nginx has taken the last change in. */
export async function isServed(changes: Changes): Promise<boolean> {
  if (!(await sameAs(changes))) return false
  return (await runningGeneration()) === generationOf(await read(generationFile))
}

/** The effective configuration: which file names which server, and what the checker warned of. */
export interface Dump {
  names: Map<string, string[]>
  warnings: string[]
}

async function test(ours: readonly string[]): Promise<Dump> {
  const ran = await run(['nginx', '-T', '-q'])
  if (ran.code !== 0) throw new Error(complaint(ran, ours))
  return { names: namesIn(ran.stdout), warnings: ran.stderr.split('\n').filter((line) => line.includes('[warn]')) }
}

function complaint({ stderr }: Ran, ours: readonly string[]): string {
  const [, said = stderr.trim()] = stderr.match(/\[(?:emerg|crit|alert)\] (.*)/) ?? []
  const [, file] = said.match(/ in (\/\S+):\d+$/) ?? []
  if (!file || ours.includes(file)) return `nginx refuses this configuration: ${said}`
  return `nginx's configuration is broken in ${file}, which is not this website's: ${said}. Nothing was changed, and nginx goes on with what it serves`
}

/** server_name → the files that claim it, from the output of `nginx -T`. */
export function namesIn(dump: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const part of dump.split(/^# configuration file /m).slice(1)) {
    const file = part.slice(0, part.indexOf(':\n'))
    const text = part.slice(part.indexOf('\n')).replace(/#.*$/gm, '')
    for (const [, claimed = ''] of text.matchAll(/\bserver_name\s+([^;]+);/g))
      for (const name of claimed.replace(/["']/g, '').trim().toLowerCase().split(/\s+/)) {
        const files = names.get(name) ?? []
        if (!files.includes(file)) names.set(name, [...files, file])
      }
  }
  return names
}

/**
 * Starts or reloads, and waits until the new configuration is the only one that answers: nginx lets the workers of the
 * old one take connections for 100 ms more.
 */
async function take(was: string, generation: number): Promise<void> {
  const old = await workers()
  if (was === 'active') await nginx.reload()
  else await nginx.start()
  for (const end = performance.now() + 10_000; performance.now() < end; await sleep(20))
    if ((await runningGeneration()) === generation && !(await acceptsStill(old))) return
  throw new Error(`nginx was told to reload and does not serve generation ${generation}: see its error log`)
}

/** The worker processes of the running nginx; none where its pid file is elsewhere. */
async function workers(): Promise<string[]> {
  const master = (await readFile('/run/nginx.pid', 'utf8').catch(absent))?.trim()
  if (!master) return []
  const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8').catch(absent)
  return children?.split(' ').filter(Boolean) ?? []
}

/** A worker that is to end says so in its title, and closes its listening sockets with that. */
async function acceptsStill(pids: readonly string[]): Promise<boolean> {
  for (const pid of pids) {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // it has ended
    if (title.startsWith('nginx: worker process') && !title.includes('shutting down')) return true
  }
  return false
}

async function goBack(good: Changes, was: string, generation: number, say: (text: string) => void): Promise<void> {
  await write({ ...good, [generationFile]: generationServer(generation) })
  if (was !== 'active') {
    if ((await nginx.state()) === 'active') await nginx.stop()
    return say('put the last good configuration back')
  }
  await take('active', generation).then(
    () => say('put the last good configuration back; nginx serves it'),
    (error: Error) => say(`put the last good configuration back, but nginx does not take it: ${error.message}`),
  )
}

const beside = (file: string) => `${file}.last-good`
const none = '# there was no such file\n'

/** What was there before, kept beside the files: a change that was cut off goes back to that, not to its own middle. */
async function keepGood(changes: Changes): Promise<Changes> {
  const good: Changes = {}
  for (const file of Object.keys(changes)) {
    const kept = await read(beside(file))
    good[file] = kept === undefined ? await read(file) : kept === none ? undefined : kept
    await replace(beside(file), good[file] ?? none)
  }
  return good
}

async function forgetGood(changes: Changes): Promise<void> {
  for (const file of Object.keys(changes)) await remove(beside(file))
}

async function write(changes: Changes): Promise<void> {
  for (const [file, content] of Object.entries(changes))
    if (content === undefined) await remove(file)
    else await replace(file, content)
}

async function sameAs(changes: Changes): Promise<boolean> {
  for (const [file, content] of Object.entries(changes)) {
    if ((await read(file)) !== content || (await read(beside(file))) !== undefined) return false
  }
  return true
}

const generationOf = (text = '') => Number(text.match(/return 200 "(\d+)"/)?.[1] ?? 0)
const generationServer = (generation: number) => `# Written by Innkeeper at each change.
server {
  listen 127.0.0.1:${generationPort};
  access_log off;
  default_type text/plain;
  return 200 "${generation}";
}
`
