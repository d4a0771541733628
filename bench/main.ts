import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { postgres } from '../bin/machine.ts'
import { openDatabase } from '../server/kit/db.ts'
import { fill } from './data.ts'
import { load } from './load.ts'

/** `npm run bench [-- rows]`: our calls as a share of the floor, in one run on one PostgreSQL. Figures, not tests. */
const rows = Number(process.argv[2] ?? 1_000_000)
const seconds = 4
const calls: [string, (n: number) => string][] = [
  ['one by id', (n) => `/api/websites/${1 + ((n * 7919) % rows)}`],
  ['list 50, two filters', (n) => `/api/websites?server=${1 + (n % 40)}&status=active&itemsPerPage=50`],
  [
    'domain contains',
    (n) => `/api/websites?domain=${((n * 2654435761) >>> 8).toString(16).slice(0, 5)}&itemsPerPage=50`,
  ],
]

const database = postgres()
if (!database) throw new Error('npm run bench needs PostgreSQL: apt-get install postgresql-15')
const children: ChildProcess[] = []
try {
  console.log(`Filling ${rows.toLocaleString('en-GB')} websites…`)
  const ours = await openDatabase(database.url)
  await fill(ours.db, rows)
  await ours.close()

  const [floorPort, port] = [45_001, 45_100]
  await up(['bench/floor.ts', String(floorPort), database.url], {})
  await up(['server/main.ts'], {
    DATABASE_URL: database.url,
    PORT: String(port),
    INNKEEPER_KEY: 'a key for the bench only',
    INNKEEPER_ADMIN_PASSWORD: 'bench-password',
    INNKEEPER_LOG: 'warn',
  })
  const signedIn = await fetch(`http://127.0.0.1:${port}/api/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'admin', password: 'bench-password' }),
  })
  const { token } = (await signedIn.json()) as { token: string } // the contract of auth.token

  console.log('call | ours req/s | floor req/s | share | ours p50 ms | p99 ms')
  for (const [name, path] of calls) {
    const shares: [number, number, number, number][] = []
    for (let round = 0; round < 3; round++) {
      const floor = await load(floorPort, path, token, seconds)
      const mine = await load(port, path, token, seconds)
      shares.push([mine.rate, floor.rate, mine.p50, mine.p99])
    }
    const [rate, floor, p50, p99] = shares.sort((a, b) => a[0] / a[1] - b[0] / b[1])[1]!
    console.log(
      [name, rate.toFixed(0), floor.toFixed(0), (rate / floor).toFixed(2), p50.toFixed(1), p99.toFixed(1)].join(' | '),
    )
  }
} finally {
  for (const child of children) child.kill('SIGKILL')
  database.stop()
}

async function up(argv: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  children.push(child)
  await once(child.stdout!, 'data')
}
