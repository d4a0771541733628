import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { meterChildren, strainInWords, watchStrain } from './strain.ts'
import type { Beside } from './times.ts'

export type Env = Record<string, string>

/** What vitest writes with its JSON reporter. */
interface Report {
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[]; meta?: { why?: string } }[]
  }[]
}

export interface Suite {
  name: string
  /** A project of vitest.config.ts; its first word is the folder of its files. */
  project: string
  env: Env
}

/** The results of one test file. */
export interface FileResult {
  suite: Suite
  path: string
  ms: number
  passed: number
  skipped: string[]
  failures: string[]
  /** Load of the machine in the minute before the suite ended. */
  load: number
}

export interface Suites {
  /**
   * Runs suites that share their workers, or those of their files that have one of the words in their path. Quiet suites may run
   * beside others: their output is printed before the next suite. Answers the results.
   */
  run(suites: readonly Suite[], words: readonly string[], quiet?: 'quiet'): Promise<FileResult[]>
  /** Runs a program; its failure fails the run. */
  program(path: string): Promise<void>
  /** Ends what runs: a run that is told to end leaves no suite behind. */
  stop(): void
  /**
   * Runs each file that failed once more, alone, with the seed and the slice of the run. A file that passes then is flaky:
   * it is reported and does not fail the run. More than `MOST_FLAKY` failed files are not run again.
   */
  again(): Promise<void>
  /** Prints the results, writes them to `report`, and sets the exit code. */
  summarize(more: { leftOut: readonly string[]; fromCache: readonly string[] }, report: string): void
}

const SLOWEST = 10
const MOST_FLAKY = 5
const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
const minutes = (ms: number) => `${(ms / 60_000).toFixed(1)} min`
const indented = (text: string) => text.replaceAll('\n', '\n    ')

/** Opens the suites of one run. Vitest writes its reports into `folder`. */
export function openSuites(folder: string): Suites {
  const results: FileResult[] = []
  /** Failures without a test file. */
  const broken: string[] = []
  const flaky: FileResult[] = []
  const took: string[] = []
  /** Output of quiet suites that have ended. */
  const aside: string[] = []
  const running = new Set<ChildProcess>()
  let runs = 0
  const strain = watchStrain()
  const meter = meterChildren()

  /** Runs a command to its end, and notes how long it took. Answers its exit status. */
  async function timed(name: string, argv: readonly string[], options: SpawnOptions): Promise<number | null> {
    const began = performance.now()
    const child = spawn(argv[0]!, argv.slice(1), options)
    running.add(child)
    const [status] = await once(child, 'exit')
    running.delete(child)
    const processor = meter()
    const work = processor === undefined ? '' : ` (processor ${Math.round(processor)} s)`
    took.push(`${name} ${seconds(performance.now() - began)}${work}`)
    return status
  }

  /** Runs vitest. Answers the results of its files, and whether it failed without a failed file. */
  async function vitest(name: string, together: readonly Suite[], words: readonly string[], out: 'inherit' | number) {
    const file = join(folder, `${++runs}.json`)
    const times = join(folder, `${runs}-times.json`)
    const argv = [
      ...[process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests'],
      ...together.map(({ project }) => `--project=${project}`),
      ...['--reporter=default', '--reporter=json', '--reporter=./bin/times.ts', `--outputFile.json=${file}`, ...words],
    ]
    const env = Object.assign({ ...process.env, TEST_TIMES: times }, ...together.map((suite) => suite.env))
    const status = await timed(name, argv, { stdio: ['ignore', out, out], env })
    const { testResults } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : { testResults: [] }
    const beside = existsSync(times) ? (JSON.parse(readFileSync(times, 'utf8')) as Record<string, Beside>) : {}
    const files = testResults.map((result) => resultOf(together, result, beside[result.name]))
    return { files, problem: status !== 0 && !files.some(isFailed) ? `the runner ended with ${status}` : undefined }
  }

  const failedFiles = () => results.filter(isFailed)
  const failed = () => failedFiles().reduce((sum, { failures }) => sum + failures.length, broken.length)

  return {
    stop() {
      for (const child of running) child.kill()
    },
    async program(path) {
      if ((await timed(path, [path], { stdio: 'inherit' })) !== 0) broken.push(path)
    },
    async run(together, words, quiet) {
      const name = together.map((suite) => suite.name).join(', ')
      const title = `\n── ${name}`
      const printed = join(folder, `${name.replaceAll(' ', '-')}.log`)
      if (!quiet) console.log(aside.splice(0).concat(title).join('\n'))
      const out = quiet ? openSync(printed, 'w') : 'inherit'
      const { files, problem } = await vitest(name, together, words, out)
      if (quiet) aside.push(title, readFileSync(printed, 'utf8'))
      results.push(...files)
      if (problem) broken.push(`${name}: ${problem}`)
      return files
    },
    async again() {
      const first = failedFiles()
      if (!first.length || first.length > MOST_FLAKY) return
      for (const before of first) {
        console.log(`\n── once more: ${before.path} (${before.suite.name})`)
        const { files, problem } = await vitest(`again ${before.path}`, [before.suite], [before.path], 'inherit')
        const after = files.find(({ path }) => path === before.path)
        if (problem || !after || isFailed(after)) continue
        flaky.push(before)
        results[results.indexOf(before)] = after
      }
    },
    summarize({ leftOut, fromCache }, report) {
      const lines = (title: string, list: readonly string[]) =>
        list.length && console.log(`\n${title}:\n${list.map((line) => `  ${indented(line)}`).join('\n')}`)
      const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
      const perTest = ({ ms, passed, failures }: FileResult) => ms / Math.max(1, passed + failures.length)
      const dearest = results.toSorted((a, b) => perTest(b) - perTest(a)).slice(0, SLOWEST)
      const bySuite = Object.entries(Object.groupBy(results, ({ suite }) => suite.name)).map(([name, files = []]) => ({
        ...{ name, files: files.length },
        ms: files.reduce((sum, file) => sum + file.ms, 0),
      }))
      lines('Left out', [...leftOut, ...results.flatMap(({ skipped }) => skipped)])
      lines(
        'Slowest files',
        slowest.map(({ path, suite, ms }) => `${seconds(ms).padStart(6)}  ${path} (${suite.name})`),
      )
      lines(
        'Most time for each test',
        dearest.map(
          (file) => `${seconds(perTest(file)).padStart(6)}  ${file.path} (${file.suite.name}, ${file.passed} tests)`,
        ),
      )
      lines(
        'Minutes of work by suite',
        bySuite.map(({ name, files, ms }) => `${minutes(ms).padStart(9)}  ${name} (${files} files)`),
      )
      lines('From the cache: passed here with the same inputs', fromCache.length ? [cached(fromCache)] : [])
      lines('Failed', [...broken, ...failedFiles().flatMap(({ failures }) => failures)])
      lines(
        `Flaky: failed first, passed alone (at most ${MOST_FLAKY} files; each is a defect)`,
        flaky.map(({ path, suite, load, failures }) => `${path} (${suite.name}, load ${load}): ${failures.join('\n')}`),
      )
      const [passed, skipped] = [
        results.reduce((sum, file) => sum + file.passed, 0),
        results.reduce((sum, file) => sum + file.skipped.length, 0),
      ]
      const machine = strain()
      console.log(`\n${strainInWords(machine)}`)
      console.log(`${took.join(', ')}; ${minutes(performance.now())} in all`)
      console.log(`${passed} passed, ${failed()} failed, ${skipped} skipped, flaky files: ${flaky.length}`)
      mkdirSync(dirname(report), { recursive: true })
      const dear = dearest.map((file) => ({ path: file.path, suite: file.suite.name, ms: file.ms, tests: file.passed }))
      const times = { machine, took, bySuite, mostForEachTest: dear }
      const ends = { passed, skipped, failed: failedFiles(), broken, flaky, fromCache }
      writeFileSync(report, JSON.stringify({ ...ends, ...times }, null, 2))
      process.exitCode = failed() ? 1 : 0
    },
  }
}

/** Suites and numbers of files; the report has their names. */
function cached(files: readonly string[]): string {
  const groups = Object.entries(Object.groupBy(files, (file) => file.split('/')[0] ?? file))
  return groups.map(([name, of = []]) => `${of.length} files of ${name}`).join(', ')
}

const isFailed = ({ failures }: FileResult) => failures.length > 0

function resultOf(
  together: readonly Suite[],
  { name, status: end, message, assertionResults, startTime, endTime }: Report['testResults'][number],
  { ms, hooks }: Beside = { ms: endTime - startTime, hooks: [] },
): FileResult {
  const path = relative(process.cwd(), name)
  const suite = together.find(({ project }) => path.startsWith(`${project.split(' ')[0]}/`))
  if (!suite) throw new Error(`${path} belongs to none of ${together.map((one) => one.name).join(', ')}`)
  const of = (...statuses: string[]) => assertionResults.filter(({ status }) => statuses.includes(status))
  const failures = of('failed').map(
    ({ fullName, failureMessages }) => `${suite.name}: ${fullName}\n${failureMessages?.join('\n') ?? ''}`,
  )
  failures.push(...hooks.map((failure) => `${suite.name}: ${failure}`))
  // a hook of the whole file or the file itself failed
  if (end === 'failed' && !failures.length) failures.push(`${suite.name}: ${name}\n${message ?? ''}`)
  return {
    suite,
    path,
    ms,
    passed: of('passed').length,
    skipped: of('pending', 'skipped').map(
      ({ fullName, meta }) => `${suite.name}: ${fullName}${meta?.why ? ` (${meta.why})` : ''}`,
    ),
    failures,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}
