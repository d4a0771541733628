import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { chromiumPath, signedIn } from '../e2e/browser.ts'
import type { Innkeeper } from '../e2e/innkeeper.ts'
import { until } from '../e2e/until.ts'
import { known, type Line, unmeasured } from './table.ts'
import { openSeeded } from './web.ts'

const run = promisify(execFile)
const categories = ['performance', 'accessibility', 'best-practices']

interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { displayValue?: string }>
}

/** Runs Lighthouse, if it is in the PATH, as a phone on a slow network and as a desktop. */
export async function* lighthouse(server: string): AsyncGenerator<Line> {
  const there = spawnSync('lighthouse', ['--version'], { encoding: 'utf8' })
  if (there.error) {
    yield unmeasured('lighthouse', 'scores', 'it is not on the PATH: npm install --global lighthouse')
    return
  }
  const innkeeper = await openSeeded(server)
  try {
    for (const [what, path, token] of [
      ['login page', '/login', undefined],
      ['websites', '/websites', innkeeper.token],
    ] as const)
      for (const device of ['phone', 'desk'] as const) {
        const { categories: of, audits } = await judge(innkeeper, path, token, device)
        const scores = categories.map((name) => `${name} ${Math.round((of[name]?.score ?? Number.NaN) * 100)}`)
        const times = [
          'first-contentful-paint',
          'largest-contentful-paint',
          'total-blocking-time',
          'cumulative-layout-shift',
        ]
        const detail = times.map((name) => `${name} ${audits[name]?.displayValue ?? '?'}`).join(', ')
        yield known('lighthouse', `${what}, ${device}`, scores.join(', '), `${detail}; ${there.stdout.trim()}`)
      }
  } finally {
    await innkeeper.close()
  }
}

/** Runs in a separate browser with a signed-in session. */
async function judge(
  innkeeper: Innkeeper,
  path: string,
  token: string | undefined,
  device: 'phone' | 'desk',
): Promise<Report> {
  const profile = mkdtempSync(join(tmpdir(), 'innkeeper-lighthouse-'))
  const args = ['--headless=new', '--no-sandbox', '--no-proxy-server', '--remote-debugging-port=0']
  const browser = spawn(chromiumPath, [...args, `--user-data-dir=${profile}`], { stdio: 'ignore' })
  const gone = new Promise((resolve) => browser.on('exit', resolve))
  try {
    const told = join(profile, 'DevToolsActivePort')
    const port = await until('Chromium says its port', async () =>
      existsSync(told) ? readFileSync(told, 'utf8').split('\n')[0] : undefined,
    )
    if (token) await signIn(`http://127.0.0.1:${port}`, innkeeper.url, token)
    const flags = ['--quiet', '--output=json', '--disable-storage-reset', `--only-categories=${categories.join(',')}`]
    if (device === 'desk') flags.push('--preset=desktop')
    const asked = [`${innkeeper.url}${path}`, `--port=${port}`, ...flags]
    return JSON.parse((await run('lighthouse', asked, { maxBuffer: 2 ** 26 })).stdout)
  } finally {
    browser.kill()
    await gone
    rmSync(profile, { recursive: true, force: true })
  }
}

async function signIn(debugging: string, url: string, token: string): Promise<void> {
  const browser = await chromium.connectOverCDP(debugging)
  const [context] = browser.contexts()
  const page = await context?.newPage()
  await page?.goto(`${url}/healthz`)
  for (const { name, value } of signedIn(token))
    await page?.evaluate(([key, text]) => localStorage.setItem(key!, text!), [name, value])
  await page?.close()
  await browser.close()
}
