import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { durations, openGreen } from './green.ts'
import { loads, reach } from './imports.ts'
import { inputsOfHosts } from './inputs.ts'
import { packages, postgres } from './machine.ts'
import { timed } from './order.ts'
import { raiseShare } from './share.ts'
import { isWhole, sliced, sliceName, third } from './slice.ts'
import { type Env, type FileResult, openSuites, type Suite } from './suites.ts'

/**
 * Runs every suite, adds up the results, and prints the slowest files, the tests that were left out and why, and how to repeat the
 * run. Files on practice hosts (agent and browser) mostly wait: they share a few workers, beside the suites of the server. Files
 * that measure time run last, with nothing beside them.
 */
raiseShare()
const words = process.argv.slice(2)
const seed = process.env.SEED ?? String(Date.now() % 1_000_000_007)
const env: Env = { SLICE: sliceName, SEED: seed }
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-test-'))
const suites = openSuites(folder)

/** The slowest tests, whose results do not depend on the database: they run beside PostgreSQL only. */
const onPostgresOnly = [
  ...['server/test/hostile/matrix.test.ts', 'server/test/hostile/timing.test.ts'],
  ...['server/test/hostile/atOnce.test.ts', 'server/test/hostile/rounds.test.ts'],
  ...['server/kit/http/compiled.test.ts', 'server/quality/qc/privacy/race.test.ts'],
]

/** Test files of a program that this run was asked for. */
const filesOf = (program: string) =>
  globSync(`${program}/**/*.test.ts`, { exclude: ['**/node_modules/**'] })
    .filter((file) => !words.length || words.some((word) => file.includes(word)))
    .sort()

/**
 * What a user notices first: a server is enrolled, and a website that is created answers from a real web server. What every domain
 * stands on: the kit of the server, and the tests that send each call. What a change must add to: the kinds of faults.
 */
const always = [
  ...['agent/install.test.ts', 'e2e/website.test.ts', 'e2e/browser.test.ts', 'e2e/screens.test.ts'],
  ...['e2e/faults/kinds.test.ts', 'e2e/hostile/answers.test.ts'],
  ...['server/*.test.ts', 'server/test/**', 'server/kit/!(ownBackup)/**'],
]
const isAlways = (file: string) => always.some((pattern) => matchesGlob(file, pattern))
/** What takes time: a practice host, a browser with an Innkeeper, a database. A file that loads none of them takes a second. */
const isCostly = (file: string) => /^(lab\/|e2e\/\w+\.ts$|server\/kit\/db\/open\.ts$)/.test(file)
const isLong = (file: string) => !isAlways(file) && [...reach(loads, file)].some(isCostly)

/** A third of the long files, and all others; everything in a long run, and where words name files. */
function thirdOfLong(files: string[]): string[] {
  if (words.length) return files
  const chosen = third(files.filter(isLong))
  return files.filter((file) => !isLong(file) || chosen.includes(file))
}

/**
 * Beside PostgreSQL, the embedded database runs the router, a third of the kit, and a slice of the domains' tests that run on
 * PostgreSQL in this run.
 */
function forEmbedded(): string[] {
  if (isWhole) return ofServer
  const files = ofServer.filter((file) => !onPostgresOnly.includes(file))
  const kit = files.filter((file) => file.startsWith('server/kit/'))
  const router = files.filter((file) => file === 'server/router.test.ts')
  const others = files.filter((file) => ![...kit, ...router].includes(file))
  return [...router, ...(words.length ? kit : third(kit)), ...sliced(others)]
}

/** Runs the files; vitest takes each path for a word. A suite without files does not start. */
async function run(together: Suite | Suite[], files: readonly string[], quiet?: 'quiet'): Promise<FileResult[]> {
  return files.length ? await suites.run([together].flat(), files, quiet) : []
}

const repeat = `${isWhole ? 'npm run test:long' : `SLICE=${sliceName} npm test`}${words.length ? ` -- ${words.join(' ')}` : ''}`
console.log(
  isWhole ? 'Every case of every test.' : `Slice ${sliceName} of the longest tests; npm run test:long runs all.`,
)
const ofLab = filesOf('lab')
const inThirds = ['server', 'agent', 'e2e'].map(filesOf)
const chosen = inThirds.map(thirdOfLong)
const [ofServer = [], ofAgent = [], inBrowser = []] = chosen
const otherThirds = inThirds.flat().length - chosen.flat().length
const alone = inBrowser.filter((file) => timed.some((pattern) => matchesGlob(file, pattern)))
const ofBrowser = inBrowser.filter((file) => !alone.includes(file))
const leftOut = packages(['chromium-headless-shell', 'postgresql-15', 'libfaketime', 'strace', 'pebble', 'kannel'])
if (otherThirds) leftOut.push(`${otherThirds} files of domains, on hosts and in browsers, which the next slices run`)
const database = ofServer.length || inBrowser.length ? postgres() : undefined
const onPostgres: Env = database ? { ...env, TEST_POSTGRES: database.url } : env
// somebody who names files wants them run, and at once
const inputs = words.length ? '' : await inputsOfHosts()
const green = openGreen(inputs)
const fromCache = words.length ? [] : green.among([...ofLab, ...ofAgent])
const isAsked = (file: string) => !fromCache.includes(file)
const ran: FileResult[] = []
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    suites.stop()
    database?.stop()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
try {
  const lab = run({ name: 'lab', project: 'lab', env }, ofLab.filter(isAsked), 'quiet')
  if (!words.length) await suites.program('bin/check')
  const pure = ['contract', 'client', 'bin']
  ran.push(
    ...(await run(
      pure.map((name) => ({ name, project: name, env })),
      pure.flatMap(filesOf),
    )),
  )
  const onHosts = [
    ...(ofAgent.some(isAsked) ? [{ name: 'agent', project: 'agent', env }] : []),
    ...(ofBrowser.length ? [{ name: 'browser', project: 'e2e', env: onPostgres }] : []),
  ]
  // the laboratory makes the image of hosts, and tries what a machine has only once
  const hosts = lab.then(async (first) => [
    ...first,
    ...(await run(onHosts, [...ofAgent.filter(isAsked), ...ofBrowser], 'quiet')),
  ])
  if (database) {
    ran.push(...(await run({ name: 'server on PostgreSQL', project: 'server', env: onPostgres }, ofServer)))
    const embedded: Env = isWhole ? env : { ...env, PROVEN_ON: 'postgresql' }
    await run({ name: 'server on PGlite', project: 'server', env: embedded }, forEmbedded())
  } else if (ofServer.length) {
    leftOut.push('server on PostgreSQL: no PostgreSQL here and none could be installed')
    ran.push(...(await run({ name: 'server on PGlite', project: 'server', env }, ofServer)))
  }
  ran.push(...(await run({ name: 'web', project: 'web', env }, filesOf('web'))))
  ran.push(...(await hosts))
  await run({ name: 'measured alone', project: 'e2e timed', env: onPostgres }, alone)
  await suites.again()
} finally {
  database?.stop()
  rmSync(folder, { recursive: true, force: true })
}
durations.keep(Object.fromEntries(ran.map(({ path, ms }) => [path, ms])))
const passedAtOnce = ran.filter(({ failures, skipped, passed }) => !failures.length && !skipped.length && passed > 0)
const ofHosts = passedAtOnce.map(({ path }) => path).filter((path) => /^(agent|lab)\//.test(path))
// a file that changed during the run was perhaps not the one that was tested
if (!words.length && (await inputsOfHosts()) === inputs) green.keep(ofHosts)
suites.summarize({ leftOut, fromCache }, 'data/test/report.json')
console.log(`Repeat with: SEED=${seed} ${repeat}`)
