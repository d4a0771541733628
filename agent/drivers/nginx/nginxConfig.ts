import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { absent, ensureDirectory, hasSystemd, patience, type Ran, reloadUnits, replace, run } from '../../kit/host.ts'
import { configOf, type Engine, generationPort } from '../webServer/webConfig.ts'

const folder = '/etc/nginx/innkeeper'

const engine: Engine = {
  title: 'nginx',
  unit: 'nginx',
  folder,
  generationText: (generation) => `# Written by Innkeeper at each change.
server {
  listen 127.0.0.1:${generationPort};
  access_log off;
  default_type text/plain;
  return 200 "${generation}";
}
`,
  generationIn: /return 200 "(\d+)"/,
  async test(ours) {
    const ran = await run(['nginx', '-T', '-q'])
    if (ran.code !== 0) throw new Error(complaint(ran, ours))
    return { names: namesIn(ran.stdout) }
  },
  /** Workers of the former configuration accept connections for about 100 ms more. */
  async listening() {
    const old = await workers()
    return () => acceptsStill(old)
  },
  makeRoom,
}
export const nginxConfig = configOf(engine)
/** For edges, which always run nginx. */
export const { apply, isServed } = nginxConfig

export function complaint({ stderr }: Ran, ours: readonly string[]): string {
  const [, said = stderr.trim()] = stderr.match(/\[(?:emerg|crit|alert)\] (.*)/) ?? []
  const [, file] = said.match(/ in (\/\S+):\d+$/) ?? []
  const hint = missingModule(said)
  if (!file || ours.includes(file)) return `nginx refuses this configuration: ${said}${hint}`
  return `nginx's configuration is broken in ${file}, which is not this website's: ${said}${hint}. Nothing was changed, and nginx goes on with what it serves`
}

/** The package with the module of a directive that Innkeeper uses, if somebody has removed that package. */
function missingModule(said: string): string {
  const [, directive] = said.match(/unknown directive "((?:js|brotli)(?:_\w+)?)"/) ?? []
  if (!directive) return ''
  return `. Install libnginx-mod-http-${directive.startsWith('js') ? 'js' : 'brotli-filter'}, which has this directive`
}

/** Maps each server_name to the files that claim it, from the output of `nginx -T`. */
export function namesIn(dump: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const part of dump.split(/^# configuration file /m).slice(1)) {
    const file = part.slice(0, part.indexOf(':\n'))
    const text = part.slice(part.indexOf('\n')).replace(/#.*$/gm, '')
    for (const directive of text.split(';').slice(0, -1)) {
      const at = directive.search(/\bserver_name\s/)
      if (at < 0) continue
      const claimed = directive.slice(at + 'server_name '.length)
      for (const name of claimed.replace(/["']/g, '').trim().toLowerCase().split(/\s+/)) {
        const files = names.get(name) ?? []
        if (!files.includes(file)) names.set(name, [...files, file])
      }
    }
  }
  return names
}

/** Limit of open files. Debian's default is 1,024; each website has two logs, open twice while nginx reloads. */
const FILES = 65_536
const dropIn = '/etc/systemd/system/nginx.service.d'
const limit = `# Written by Innkeeper: the logs of all websites are open, twice while nginx reloads, and not for everybody here.
[Service]
LimitNOFILE=${FILES}
UMask=0027
`

/** Raises the limit of the running nginx without a restart, and of later starts. */
async function makeRoom(): Promise<void> {
  if (hasSystemd()) {
    await ensureDirectory(dropIn)
    if (await replace(`${dropIn}/innkeeper.conf`, limit)) await reloadUnits()
  }
  const master = await masterPid()
  const limits = master && (await readFile(`/proc/${master}/limits`, 'utf8').catch(absent))
  const [, soft, hard] = (limits || '').match(/^Max open files +(\d+) +(\d+)/m) ?? []
  const most = Math.min(FILES, Number(hard ?? FILES)) // the machine may have a lower hard limit
  if (master && Number(soft) < most) await run(['prlimit', `--pid=${master}`, `--nofile=${most}:`])
}

const masterPid = async () => (await readFile('/run/nginx.pid', 'utf8').catch(absent))?.trim()

/** The worker processes of the running nginx; none if its pid file is elsewhere. */
async function workers(): Promise<string[]> {
  const master = await masterPid()
  if (!master) return []
  const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8').catch(absent)
  return children?.split(' ').filter(Boolean) ?? []
}

/** A worker that shuts down says so in its title, and closes its listening sockets at that moment. */
async function acceptsStill(pids: readonly string[]): Promise<boolean> {
  for (const pid of pids) {
    const title = await titleOf(pid)
    if (title.startsWith('nginx: worker process') && !title.includes('shutting down')) return true
  }
  return false
}

/**
 * Waits until workers of a former configuration have ended, because they serve their open connections, and new requests
 * on these, by the old files. Stops waiting after `waitsMs`: what remains is a large download, which does no harm.
 */
export async function oldWorkersEnd(waitsMs = patience.workersMs): Promise<void> {
  for (const end = performance.now() + waitsMs; performance.now() < end; await sleep(20)) {
    const titles = await Promise.all((await workers()).map(titleOf))
    if (!titles.some((title) => title.includes('shutting down'))) return
  }
}

const titleOf = (pid: string) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // the process has ended
