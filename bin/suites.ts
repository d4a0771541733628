import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export type Env = Record<string, string>

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[]; meta?: { why?: string } }[]
  }[]
}

export interface Suites {
  /** Runs a project of vitest.config.ts. A quiet project may run beside others: its output is printed before the next suite. */
  run(name: string, project: string, words: readonly string[], env: Env, quiet?: 'quiet'): Promise<void>
  fail(line: string): void
  /** Prints the results and sets the exit code. */
  summarize(leftOut: readonly string[]): void
}

const SLOWEST = 10
const seconds = (ms: number) => `${Math.round(ms / 1000)} s`

/** Opens the suites of one run. Vitest writes its reports into `folder`. */
export function openSuites(folder: string): Suites {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const skipped: string[] = []
  const broken: string[] = []
  const took: string[] = []
  const files: { name: string; ms: number }[] = []
  /** Output of quiet suites that have ended. */
  const aside: string[] = []

  function fail(line: string): void {
    sum.failed += 1
    broken.push(line)
  }

  function add(name: string, { numPassedTests, numPendingTests, testResults }: Report): void {
    sum.passed += numPassedTests
    sum.skipped += numPendingTests
    for (const { name: path, status: end, message, assertionResults, startTime, endTime } of testResults) {
      files.push({ name: `${relative(process.cwd(), path)} (${name})`, ms: endTime - startTime })
      for (const { fullName, status, meta, failureMessages } of assertionResults) {
        if (status === 'failed') fail(`${name}: ${fullName}\n${failureMessages?.join('\n') ?? ''}`)
        if (status === 'pending' || status === 'skipped')
          skipped.push(`${name}: ${fullName}${meta?.why ? ` (${meta.why})` : ''}`)
      }
      if (end === 'failed' && !assertionResults.some(({ status }) => status === 'failed'))
        fail(`${name}: ${path}\n${message ?? ''}`)
    }
  }

  return {
    fail,
    async run(name, project, words, env, quiet) {
      const title = `\n── ${name}`
      const file = join(folder, `${name.replaceAll(' ', '-')}.json`)
      const printed = `${file}.log`
      if (!quiet) console.log(aside.splice(0).concat(title).join('\n'))
      const argv = [
        ...['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--passWithNoTests'],
        ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...words],
      ]
      const began = performance.now()
      const out = quiet ? openSync(printed, 'w') : 'inherit'
      const child = spawn(process.execPath, argv, { stdio: ['ignore', out, out], env: { ...process.env, ...env } })
      const [status] = await once(child, 'exit')
      took.push(`${name} ${seconds(performance.now() - began)}`)
      if (quiet) aside.push(title, readFileSync(printed, 'utf8'))
      const before = broken.length
      if (existsSync(file)) add(name, JSON.parse(readFileSync(file, 'utf8')) as Report) // vitest's own report
      if (status !== 0 && broken.length === before) fail(`${name}: the runner ended with ${status}`)
    },
    summarize(leftOut) {
      const lines = (title: string, list: readonly string[]) =>
        list.length && console.log(`\n${title}:\n${list.map((line) => `  ${line}`).join('\n')}`)
      const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
      lines('Left out', [...leftOut, ...skipped])
      lines(
        'Slowest files',
        slowest.map(({ name, ms }) => `${seconds(ms).padStart(6)}  ${name}`),
      )
      lines(
        'Failed',
        broken.map((line) => line.replaceAll('\n', '\n    ')),
      )
      console.log(`\n${took.join(', ')}`)
      console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
      process.exitCode = sum.failed ? 1 : 0
    },
  }
}
