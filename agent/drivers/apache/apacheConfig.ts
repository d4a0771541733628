import { readdir, readFile, readlink } from 'node:fs/promises'
import { absent, type Ran, run } from '../../kit/host.ts'
import { configOf, type Engine, generationPort } from '../webServer/webConfig.ts'

const folder = '/etc/apache2/innkeeper'

const engine: Engine = {
  title: 'Apache',
  unit: 'apache2',
  folder,
  generationText: (generation) => `# Written by Innkeeper at each change.
Listen 127.0.0.1:${generationPort}
<VirtualHost 127.0.0.1:${generationPort}>
  CustomLog /dev/null innkeeper
  RewriteEngine On
  RewriteRule "^" "-" "[R=200,E=innkeeper_answer:${generation}]"
</VirtualHost>
`,
  generationIn: /innkeeper_answer:(\d+)\]/,
  async test(ours) {
    const ran = await run(['apache2ctl', '-t', '-D', 'DUMP_VHOSTS'])
    if (ran.code !== 0) throw new Error(complaint(ran, ours))
    await trial()
    return { names: namesIn(ran.stdout) }
  },
  /** Children of the former configuration accept connections until they see the new one. */
  async listening() {
    const old = await children()
    return async () => {
      const sockets = await listeningSockets()
      for (const pid of old) if (await hasOneOf(pid, sockets)) return true
      return false
    }
  },
}
export const apacheConfig = configOf(engine)

export function complaint({ stderr }: Ran, ours: readonly string[]): string {
  // an error in an included file names the included file
  const place = [...stderr.matchAll(/Syntax error on line \d+ of (\S+):\s/g)].at(-1)
  const [text = ''] = place ? stderr.slice(place.index + place[0].length).split('\n') : []
  const said = (text || stderr.replace(/^(AH00014|Action '|The Apache error log).*\n?/gm, '')).trim().replace(/\.$/, '')
  const file = place?.[1]
  if (!file || ours.includes(file)) return `Apache refuses this configuration: ${said}`
  return `Apache's configuration is broken in ${file}, which is not this website's: ${said}. Nothing was changed, and Apache goes on with what it serves`
}

/**
 * Starts Apache once in its own network and PID namespace, which end with the shell. `configtest` only parses: other
 * faults, such as a key that does not match its certificate, stop the whole server at a reload.
 */
async function trial(): Promise<void> {
  const own = '/run/innkeeper-apache'
  const script = `. /etc/apache2/envvars
export APACHE_RUN_DIR=${own} APACHE_LOCK_DIR=${own} APACHE_PID_FILE=${own}/pid
mkdir -p ${own} && ulimit -n 8192
apache2 -k start || exit 1`
  const ran = await run(['unshare', '--net', '--ipc', '--pid', '--fork', '--kill-child', 'sh', '-c', script])
  await run(['rm', '--recursive', '--force', own])
  // AH00072, AH00078: the namespace lacks an address of this machine. unshare: this machine allows no namespaces.
  if (ran.code === 0 || /AH00072|AH00078|^unshare:/m.test(ran.stderr)) return
  const [last = ran.stderr.trim()] = (await errorsOf('/var/log/apache2/error.log')).slice(-1)
  throw new Error(`Apache does not start with this configuration: ${last}. Nothing was changed`)
}

/** The messages of Apache's error log, without time and process. */
async function errorsOf(log: string): Promise<string[]> {
  const text = (await readFile(log, 'utf8').catch(absent)) ?? ''
  return text
    .split('\n')
    .filter((line) => /:(emerg|alert|crit|error)\]/.test(line))
    .map((line) => line.replace(/^(\[[^\]]*\] )+/, ''))
}

/** Names of virtual hosts → the files that claim them, from `apache2ctl -D DUMP_VHOSTS`. */
export function namesIn(dump: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  let file = ''
  for (const line of dump.split('\n')) {
    const [, host, from] = line.match(/^(?: *port \d+ namevhost|\S+:\d+) +(\S+) \((\/.*):\d+\)$/) ?? []
    if (from) file = from
    const name = (host ?? line.match(/^ +(?:wild )?alias (\S+)$/)?.[1])?.toLowerCase()
    if (!name) continue
    const files = names.get(name) ?? []
    if (!files.includes(file)) names.set(name, [...files, file])
  }
  return names
}

async function children(): Promise<string[]> {
  const parent = (await readFile('/run/apache2/apache2.pid', 'utf8').catch(absent))?.trim()
  if (!parent) return []
  const text = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(absent)
  return text?.split(' ').filter(Boolean) ?? []
}

/** Inodes of all TCP sockets that listen; see proc_net_tcp(5). */
async function listeningSockets(): Promise<Set<string>> {
  const found = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of ((await readFile(table, 'utf8').catch(absent)) ?? '').split('\n')) {
      const fields = line.trim().split(/ +/)
      if (fields[3] === '0A' && fields[9]) found.add(fields[9])
    }
  return found
}

async function hasOneOf(pid: string, sockets: Set<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  for (const fd of await readdir(folder).catch(() => [])) {
    const target = await readlink(`${folder}/${fd}`).catch(() => '') // the process has ended
    if (sockets.has(target.replace(/^socket:\[(\d+)\]$/, '$1'))) return true
  }
  return false
}
