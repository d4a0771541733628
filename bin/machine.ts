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

/** Installs Debian packages that tests ask for. Answers a line for each that could not be had. */
export function packages(names: string[]): string[] {
  const missing = names.filter((name) => !installed(name) && !(name.startsWith('postgresql') && binaries()))
  if (!missing.length) return []
  const able = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (able) {
    // the tests start a cluster of their own; Debian's would take a port and memory
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
  stop(): void
  /** What kills it at once, and what starts it again, for callers who must not stand still meanwhile. */
  commands: Record<'crash' | 'start', string[]>
}

/** A PostgreSQL of the tests' own on a free port, gone afterwards. */
export function postgres(): Postgres | undefined {
  const bin = binaries()
  if (!bin) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-pg-'))
  const root = process.getuid?.() === 0
  if (root) {
    const id = Number(run(['id', '-u', 'postgres'], { quiet: true }).stdout)
    if (!Number.isInteger(id) || id === 0) return undefined
    chownSync(folder, id, id)
  }
  const asUser = root ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const as = (argv: string[]) => run([...asUser, ...argv], { quiet: true })
  const data = join(folder, 'data')
  const port = 20_000 + Math.floor(Math.random() * 20_000)
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
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
  const control = [join(bin, 'pg_ctl'), '-D', data, '-w', '-s']
  const start = [...control, '-l', join(folder, 'log'), '-o', settings, 'start']
  const crash = [...control, '-m', 'immediate', 'stop']
  const up = as(start)
  if (up.status !== 0) throw new Error(`pg_ctl start: ${up.stderr}${up.stdout}`)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      as(crash)
      rmSync(folder, { recursive: true, force: true })
    },
    commands: { crash: [...asUser, ...crash], start: [...asUser, ...start] },
  }
}
