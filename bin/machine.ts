import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (argv: string[], more: { quiet?: boolean } = {}) =>
  spawnSync(argv[0]!, argv.slice(1), {
    encoding: 'utf8',
    stdio: more.quiet ? 'pipe' : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

const installed = (name: string) =>
  run(['dpkg', '-s', name], { quiet: true }).stdout?.includes('Status: install ok installed')
const binaries = () => globSync('/usr/lib/postgresql/1[5-9]/bin').sort()[0]

/** Installs Debian packages for tests. Answers a line for each package that could not be installed. */
export function packages(names: string[]): string[] {
  const missing = names.filter((name) => !installed(name) && !(name.startsWith('postgresql') && binaries()))
  if (!missing.length) return []
  const able = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (able) {
    // tests start their own cluster; Debian's default cluster would use a port and memory
    if (missing.some((name) => name.startsWith('postgresql')) && !existsSync('/etc/postgresql-common')) {
      mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true })
      writeFileSync('/etc/postgresql-common/createcluster.d/innkeeper-tests.conf', 'create_main_cluster = false\n')
    }
    console.log(`Installing ${missing.join(', ')}…`)
    run(['apt-get', 'update', '-qq'], { quiet: true })
    run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...missing], { quiet: true })
  }
  return missing
    .filter((name) => !installed(name))
    .map((name) => `${name}: not installed, and ${able ? 'apt-get could not' : 'no root or no apt to'} install it`)
}

export interface Postgres {
  url: string
  port: number
  stop(): void
  /**
   * Starts a standby. A synchronous one has everything that a commit acknowledges. `promote` and `start` are commands as
   * argv.
   */
  standby(mode: 'synchronous' | 'asynchronous'): {
    url: string
    port: number
    promote: string[]
    start: string[]
    stop(): void
  }
  /** Commands as argv, for callers that must not block. */
  commands: {
    /** Kills all processes with kill -9; exits when they have ended. */
    crash: string[]
    start(env?: Record<string, string>): string[]
    /** Exits with 0 while the server runs. */
    status: string[]
  }
}

/** A temporary PostgreSQL on a free port, in a new folder below `place`. */
export function postgres({ place = tmpdir(), settings = [] as string[] } = {}): Postgres | undefined {
  const bin = binaries()
  if (!bin) return undefined
  const folder = mkdtempSync(join(place, 'innkeeper-pg-'))
  const root = process.getuid?.() === 0
  if (root) {
    const id = Number(run(['id', '-u', 'postgres'], { quiet: true }).stdout)
    if (!Number.isInteger(id) || id === 0) return undefined
    chownSync(folder, id, id)
  }
  const asUser = root ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const as = (argv: string[]) => run([...asUser, ...argv], { quiet: true })
  const data = join(folder, 'data')
  const made = as([
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ])
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const controlOf = (at: string) => [join(bin, 'pg_ctl'), '-D', at, '-w', '-s']
  const control = controlOf(data)
  const startOn = (port: number, at = data) => {
    const own = [`port=${port}`, `unix_socket_directories=${folder}`, 'listen_addresses=127.0.0.1']
    // the machine does not crash; a killed server finds all that it wrote
    own.push('fsync=off', 'full_page_writes=off')
    const options = [...own, 'max_connections=200', ...settings].map((setting) => `-c ${setting}`).join(' ')
    return [...controlOf(at), '-l', join(folder, at === data ? 'log' : 'log-standby'), '-o', options, 'start']
  }
  const kill = `main=$(head -n 1 '${data}/postmaster.pid') && kill -9 $main $(cat /proc/$main/task/$main/children)
    while [ -e /proc/$main ]; do sleep 0.05; done` // until it is reaped, because its lock file contains the pid
  const started = (at: string) => {
    for (let tries = 1; ; tries++) {
      // above the ports of e2e tests, and below those that the kernel gives to clients
      const chosen = 30_000 + Math.floor(Math.random() * 2_700)
      const up = as(startOn(chosen, at))
      if (up.status === 0) return chosen
      if (tries === 5) throw new Error(`pg_ctl start: ${up.stderr}${up.stdout}`) // before: the port may be in use
    }
  }
  const port = started(data)
  const urlOf = (at: number) => `postgres://postgres@127.0.0.1:${at}/postgres`
  const must = (argv: string[]) => {
    const ran = as(argv)
    if (ran.status !== 0) throw new Error(`${argv[0]}: ${ran.stderr}`)
  }
  return {
    url: urlOf(port),
    port,
    standby(mode) {
      const copy = join(folder, 'standby')
      must([join(bin, 'pg_basebackup'), '-d', urlOf(port), '-D', copy, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
      const other = started(copy)
      const psql = [join(bin, 'psql'), '-q', '-d', urlOf(port), '-c']
      if (mode === 'synchronous') {
        must([...psql, "alter system set synchronous_standby_names = '*'"])
        must([...psql, 'select pg_reload_conf()'])
      }
      return {
        url: urlOf(other),
        port: other,
        promote: [...asUser, ...controlOf(copy), 'promote'],
        start: [...asUser, ...startOn(other, copy)],
        stop: () => void as([...controlOf(copy), '-m', 'immediate', 'stop']),
      }
    },
    stop() {
      as([...control, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
    commands: {
      crash: [...asUser, 'sh', '-c', kill],
      start: (env = {}) => [...asUser, 'env', ...Object.entries(env).map((pair) => pair.join('=')), ...startOn(port)],
      status: [...asUser, ...control, 'status'],
    },
  }
}
