import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packages, postgres } from './machine.ts'

/**
 * Runs every suite, adds up what they say, and prints how long each took, what was left out, and why. The agent's waits for its
 * hosts most of the time: it runs beside those of the server, and what it says is printed when they leave room for it.
 */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[]; meta?: { why?: string } }[]
  }[]
}

const words = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-test-'))
const sum = { passed: 0, failed: 0, skipped: 0 }
const leftOut: string[] = []
const broken: string[] = []

function fail(line: string): void {
  sum.failed += 1
  broken.push(line)
}

function check(): void {
  const { status } = spawnSync('bin/check', { stdio: 'inherit' })
  if (status === 0) sum.passed += 1
  else fail('bin/check')
}

/** What a quiet one said, until the others have come to an end of theirs. */
const aside: string[] = []
const took: string[] = []

/** `quiet`: beside others, which are printing. */
async function suite(name: string, project: string, env: Record<string, string> = {}, quiet = false): Promise<void> {
  const title = `\n── ${name}`
  const file = join(folder, `${name.replaceAll(' ', '-')}.json`)
  const printed = `${file}.log`
  if (!quiet) console.log(aside.splice(0).concat(title).join('\n'))
  const argv = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...words,
  ]
  const began = performance.now()
  const out = quiet ? openSync(printed, 'w') : 'inherit'
  const run = spawn(process.execPath, argv, { stdio: ['ignore', out, out], env: { ...process.env, ...env } })
  const [status] = await once(run, 'exit')
  took.push(`${name} ${Math.round((performance.now() - began) / 1000)} s`)
  if (quiet) aside.push(title, readFileSync(printed, 'utf8'))
  if (!existsSync(file)) {
    if (status !== 0) fail(`${name}: the runner ended with ${status} and left no report`)
    return
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report // vitest's own report
  sum.passed += report.numPassedTests
  sum.skipped += report.numPendingTests
  const before = broken.length
  for (const { name: path, status: end, message, assertionResults } of report.testResults) {
    for (const { fullName, status: ended, meta, failureMessages } of assertionResults) {
      if (ended === 'failed') fail(`${name}: ${fullName}\n${failureMessages?.join('\n') ?? ''}`)
      if (ended === 'pending' || ended === 'skipped')
        leftOut.push(`${name}: ${fullName}${meta?.why ? ` (${meta.why})` : ''}`)
    }
    if (end === 'failed' && !assertionResults.some((one) => one.status === 'failed'))
      fail(`${name}: ${path}\n${message ?? ''}`)
  }
  if (status !== 0 && broken.length === before) fail(`${name}: the runner ended with ${status}`)
}

for (const line of packages(['chromium', 'postgresql-15', 'libfaketime', 'strace', 'pebble'])) leftOut.push(line)
const database = postgres()
try {
  if (!words.length) check()
  await suite('contract', 'contract')
  await suite('lab', 'lab')
  const agent = suite('agent', 'agent', {}, true)
  await suite('server on PGlite', 'server')
  if (database) await suite('server on PostgreSQL', 'server', { TEST_POSTGRES: database.url })
  else leftOut.push('server on PostgreSQL: no PostgreSQL here and none could be installed')
  await suite('web', 'web')
  await agent
  await suite('browser', 'e2e', database ? { TEST_POSTGRES: database.url } : {}) // by itself: it times what people wait for
} finally {
  database?.stop()
  rmSync(folder, { recursive: true, force: true })
}

if (leftOut.length) console.log(`\nLeft out:\n${leftOut.map((line) => `  ${line}`).join('\n')}`)
if (broken.length) console.log(`\nFailed:\n${broken.map((line) => `  ${line.replaceAll('\n', '\n    ')}`).join('\n')}`)
console.log(`\n${took.join(', ')}`)
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed ? 1 : 0
