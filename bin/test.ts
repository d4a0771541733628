import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packages, postgres } from './machine.ts'
import { isWhole, sliced, sliceName } from './slice.ts'
import { type Env, openSuites } from './suites.ts'

/**
 * Runs every suite, adds up the results, and prints the slowest files, the tests that were left out and why, and how to repeat the
 * run. The suites of the lab and of the agent mostly wait for their hosts, so the lab's suite runs beside `bin/check`, and the
 * agent's suite beside those of the server and of the web.
 */
const words = process.argv.slice(2)
const seed = process.env.SEED ?? String(Date.now() % 1_000_000_007)
const env: Env = { SLICE: sliceName, SEED: seed }
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-test-'))
const suites = openSuites(folder)

/** The slowest tests, whose results do not depend on the database: they run on PostgreSQL only. */
const onPostgresOnly = ['server/hostile/matrix.test.ts', 'server/hostile/timing.test.ts']

/** Beside PostgreSQL, the embedded database runs the kit, the router, and one slice of the domains' tests. */
function forEmbedded(): string[] {
  const files = globSync('server/**/*.test.ts', { exclude: ['**/node_modules/**'] }).sort()
  const own = files.filter((file) => file.startsWith('server/kit/') || file === 'server/router.test.ts')
  const rest = sliced(files.filter((file) => !own.includes(file) && !onPostgresOnly.includes(file)))
  return [...own, ...rest].filter((file) => !words.length || words.some((word) => file.includes(word)))
}

async function check(): Promise<void> {
  const [status] = await once(spawn('bin/check', { stdio: 'inherit' }), 'exit')
  if (status !== 0) suites.fail('bin/check')
}

const repeat = `${isWhole ? 'npm run test:long' : `SLICE=${sliceName} npm test`}${words.length ? ` -- ${words.join(' ')}` : ''}`
console.log(
  isWhole ? 'Every case of every test.' : `Slice ${sliceName} of the longest tests; npm run test:long runs all.`,
)
const leftOut = packages(['chromium', 'postgresql-15', 'libfaketime', 'strace', 'pebble', 'kannel'])
const database = postgres()
const onPostgres: Env = database ? { ...env, TEST_POSTGRES: database.url } : env
try {
  const lab = suites.run('lab', 'lab', words, env, 'quiet')
  if (!words.length) await check()
  await suites.run('contract', 'contract', words, env)
  await lab
  const agent = suites.run('agent', 'agent', words, env, 'quiet')
  if (database) {
    await suites.run('server on PostgreSQL', 'server', words, onPostgres)
    const embedded = isWhole ? words : forEmbedded()
    if (isWhole || embedded.length) await suites.run('server on PGlite', 'server', embedded, env)
  } else {
    leftOut.push('server on PostgreSQL: no PostgreSQL here and none could be installed')
    await suites.run('server on PGlite', 'server', words, env)
  }
  await suites.run('web', 'web', words, env)
  await agent
  await suites.run('browser', 'e2e*', words, onPostgres) // alone, because some files measure waiting times
  await suites.again()
} finally {
  database?.stop()
  rmSync(folder, { recursive: true, force: true })
}
suites.summarize(leftOut, 'data/test/report.json')
console.log(`Repeat with: SEED=${seed} ${repeat}`)
