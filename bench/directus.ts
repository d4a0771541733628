import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../e2e/innkeeper.ts'
import { until } from '../e2e/until.ts'
import { compare } from './compare.ts'
import { zones } from './fill/names.ts'
import type { Options } from './options.ts'
import type { Stage } from './stage.ts'
import { atLeast, type Line } from './table.ts'

const VERSION = '11.17.4'
/** How many times as many answers as Directus are wanted. */
const TIMES = 10
/** Different questions of each kind. */
const VARIETY = 120
const LARGEST_PAGE = 100

/** The same question to both sides, about row or page `n`. */
interface Question {
  what: string
  /** Largest `n`. */
  of: (websites: number) => number
  ours: (n: number) => string
  theirs: (n: number) => string
}
const live = 'filter[deleted_at][_null]=true'
const page = (n: number) => `limit=50&page=${n}&meta=filter_count`
const own = 'website_id,version,domain,kind,environment,status,php_version,ssl,cdn,backups,created_at,updated_at'
const others =
  'owner_id.owner_id,owner_id.name,server_id.server_id,server_id.name,plan_id.plan_id,plan_id.name,system_user_id.username'
const site = `fields=${own},${others}`
const pages = (rows: number) => Math.max(1, Math.min(LARGEST_PAGE, Math.floor(rows / 50)))

const questions: Question[] = [
  {
    what: 'one website',
    of: (websites) => websites,
    ours: (n) => `/api/websites/${n}`,
    theirs: (n) => `/items/websites/${n}?${site}`,
  },
  {
    what: 'a page of the newest websites',
    of: pages,
    ours: (n) => `/api/websites?itemsPerPage=50&page=${n}`,
    theirs: (n) => `/items/websites?${site}&${live}&${page(n)}&sort=-created_at,-website_id`,
  },
  {
    what: 'a website by a part of its domain',
    of: (websites) => websites,
    ours: (n) => `/api/websites?itemsPerPage=50&domain=-${n}.`,
    theirs: (n) => `/items/websites?${site}&${live}&${page(1)}&filter[domain][_contains]=-${n}.`,
  },
  {
    what: 'the records of a zone',
    of: zones,
    ours: (n) => `/api/dns/records?zoneId=${n}&itemsPerPage=50`,
    theirs: (n) => `/items/records?fields=*&filter[zone_id][_eq]=${n}&${page(1)}&sort=name`,
  },
  {
    what: 'a page of the action log',
    of: pages,
    ours: (n) => `/api/logs?page_size=50&page=${n}`,
    theirs: (n) => `/items/action_logs?fields=*&${page(n)}&sort=-at,-action_log_id`,
  },
]

/**
 * Compares with Directus on the same rows of the same database; the sizes of both answers are said. Directus is installed below the
 * temporary folder, where it stays for the next run, because it is three times as large as all that Innkeeper is built with.
 */
export async function* directus(stage: Stage, options: Options): AsyncGenerator<Line> {
  const theirs = await startDirectus(stage)
  const both = { ...stage, floor: { ...stage.floor, ...theirs } }
  try {
    for (const question of questions) {
      const numbers = Array.from({ length: VARIETY }, () => 1 + stage.dice.below(question.of(options.rows)))
      const asked = (path: (n: number) => string) => {
        const asks = numbers.map((n) => ({ path: encodeURI(path(n)) }))
        return (n: number) => asks[n % asks.length]!
      }
      const asks = { ours: asked(question.ours), floor: asked(question.theirs) }
      const sizes = [
        await bytesOf(stage, stage.ours.port, asks.ours(0).path),
        await bytesOf(stage, theirs.port, asks.floor(0).path),
      ]
      const compared = await compare(both, asks, options)
      yield atLeast(
        'directus',
        question.what,
        compared.share,
        TIMES,
        `${sizes.join(' and ')} bytes; ${compared.detail}`,
      )
    }
  } finally {
    theirs.stop()
  }
}

async function bytesOf({ token }: Stage, port: number, path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  return Buffer.byteLength(text)
}

/** Starts Directus on the database of the stage. Its administrator has the token of ours. */
async function startDirectus({ url, token }: Stage): Promise<{ port: number; pid: number; stop(): void }> {
  const folder = installed()
  const port = await freePorts()
  const { hostname, port: dbPort, pathname, username, password } = new URL(url)
  const env = {
    ...process.env,
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'error' },
    ...{ KEY: 'bench', SECRET: 'a secret of the bench, which signs nothing', TELEMETRY: 'false' },
    ...{ ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'bench', ADMIN_TOKEN: token },
    ...{ DB_CLIENT: 'pg', DB_HOST: hostname, DB_PORT: dbPort, DB_DATABASE: pathname.slice(1) },
    ...{ DB_USER: decodeURIComponent(username), DB_PASSWORD: decodeURIComponent(password) },
  }
  const cli = [join(folder, 'node_modules/directus/cli.js')]
  execFileSync(process.execPath, [...cli, 'bootstrap'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const child = spawn(process.execPath, [...cli, 'start'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  await until('Directus answers', async () => (await fetch(`http://127.0.0.1:${port}/server/ping`)).ok)
  return { port, pid: child.pid ?? 0, stop: () => void child.kill() }
}

function installed(): string {
  const folder = join(tmpdir(), `innkeeper-directus-${VERSION}`)
  if (!existsSync(join(folder, 'node_modules/directus'))) {
    console.log(`Directus ${VERSION} is installed in ${folder}…`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const install = ['install', '--ignore-scripts', `directus@${VERSION}`]
    execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    // runs scripts of flows, which no question has, and would have to be compiled for this node
    writeFileSync(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {}')
  }
  return folder
}
