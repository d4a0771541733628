import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { openBrowser, person } from '../e2e/browser.ts'
import { Innkeeper, repository } from '../e2e/innkeeper.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { seed } from '../server/seed/seed.ts'
import { ensureDatabase } from './fill/database.ts'
import { median, percentiles } from './load.ts'
import { atMost, known, type Line, short } from './table.ts'

/** Slows the processor down to a quarter. */
const SLOWER = 4
const VISITS = 3
const KIB = 1024
/** Timeout that is long enough for a busy machine, so that slow results are reported. */
const PATIENCE_MS = 60_000

/**
 * Measures Chromium on the seeded provider with 3,000 websites and a slow processor: transferred bytes and waiting
 * times.
 */
export async function* web(server: string): AsyncGenerator<Line> {
  const built = spawnSync(process.execPath, [join(repository, 'bin/build.ts')], { stdio: 'inherit' })
  if (built.status !== 0) throw new Error('The build of the web app failed')
  const innkeeper = await openSeeded(server)
  const browser = await openBrowser('127.0.0.1')
  try {
    const logins: Visit[] = []
    const lists: Visit[] = []
    for (let n = 0; n < VISITS; n++) {
      logins.push(await visit(browser, innkeeper, '/login', 'input[type=password]'))
      lists.push(await visit(browser, innkeeper, '/websites', 'tbody tr:nth-child(10)', innkeeper.token))
    }
    yield* linesOf('login page', logins, 150)
    yield* linesOf('websites, first visit', lists)
    const screen = await screenBytes(browser, innkeeper)
    yield atMost(
      'web',
      'JS of the websites screen alone, gzip',
      screen / KIB,
      40,
      ' KiB',
      'what comes after home, by a click',
    )
    const { p50, p75, longest, count } = await interactions(browser, innkeeper)
    const behind = `p50 ${p50} ms, longest ${longest} ms, of ${count}: paging, sorting, typing, opening; at ${SLOWER} × slower CPU`
    yield atMost('web', 'interaction to next paint, p75', p75, 100, ' ms', behind)
  } finally {
    await browser.close()
    await innkeeper.close()
  }
}

/** An API on the seeded provider, which is created if it does not exist. */
export async function openSeeded(server: string): Promise<Innkeeper> {
  const database = await ensureDatabase(server, 'bench_web')
  const { db, close } = await openDatabase(database)
  await seed(db, () => {}).catch((error: Error) => {
    if (!/seeded already/.test(error.message)) throw error
  })
  await close()
  return Innkeeper.open({ database, args: ['--role=api'] })
}

interface Visit {
  /** Transferred bytes. */
  js: number
  css: number
  all: number
  requests: number
  /** Milliseconds from the start of the navigation. */
  firstPaint: number
  largestPaint: number
  ready: number
  /** Total blocking time: milliseconds beyond 50 in which the page could not respond. */
  blocked: number
}

function* linesOf(what: string, visits: Visit[], limit?: number): Generator<Line> {
  const of = (key: keyof Visit) => median(visits.map((one) => one[key]))
  const sizes = `CSS ${short(of('css') / KIB)} KiB, all ${short(of('all') / KIB)} KiB in ${of('requests')} requests`
  const js = of('js') / KIB
  yield limit
    ? atMost('web', `JS of the ${what}, gzip`, js, limit, ' KiB', sizes)
    : known('web', `JS of ${what}, gzip`, `${short(js)} KiB`, sizes)
  const times = `first paint ${of('firstPaint').toFixed(0)} ms, largest ${of('largestPaint').toFixed(0)} ms, blocked ${of('blocked').toFixed(0)} ms`
  yield known('web', `${what} ready`, `${of('ready').toFixed(0)} ms`, `${times}; at ${SLOWER} × slower CPU`)
}

/** Measures the first visit of a person with an empty cache. */
async function visit(
  browser: Browser,
  innkeeper: Innkeeper,
  path: string,
  waitFor: string,
  token?: string,
): Promise<Visit> {
  const context = await person(browser, innkeeper, { ...(token && { token }) })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const bytes = await countBytes(await slowed(page))
  await page.addInitScript(() => {
    const seen = { largest: 0, blocked: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.largest = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.blocked += Math.max(0, entry.duration - 50)
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(path)
  await page.locator(waitFor).first().waitFor()
  const ready = await page.evaluate(() => performance.now())
  await page.waitForLoadState('networkidle')
  const times = await page.evaluate(() => ({
    ...(window as unknown as { seen: { largest: number; blocked: number } }).seen, // set by the script above
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  }))
  await context.close()
  return { ...bytes, ready, firstPaint: times.first, largestPaint: times.largest, blocked: times.blocked }
}

async function slowed(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  return devtools
}

/** Counts transferred bytes from now on, compressed and with headers. */
async function countBytes(devtools: CDPSession) {
  const bytes = { js: 0, css: 0, all: 0, requests: 0 }
  const types = new Map<string, string>()
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength
    bytes.requests += 1
    if (types.get(requestId) === 'Script') bytes.js += encodedDataLength
    if (types.get(requestId) === 'Stylesheet') bytes.css += encodedDataLength
  })
  await devtools.send('Network.enable')
  return bytes
}

async function screenBytes(browser: Browser, innkeeper: Innkeeper): Promise<number> {
  const context = await person(browser, innkeeper, { token: innkeeper.token })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  const bytes = await countBytes(await page.context().newCDPSession(page))
  await page.locator('a[href="/websites"]').first().click()
  await page.locator('tbody tr:nth-child(10)').waitFor()
  await page.waitForLoadState('networkidle')
  await context.close()
  return bytes.js
}

/** Interaction latency as the browser measures it: from the input to the next paint. */
async function interactions(browser: Browser, innkeeper: Innkeeper) {
  const context = await person(browser, innkeeper, { token: innkeeper.token })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await slowed(page)
  await page.addInitScript(() => {
    const byInteraction = new Map<number, number>()
    Object.assign(window, { byInteraction })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
        if (entry.interactionId)
          byInteraction.set(entry.interactionId, Math.max(entry.duration, byInteraction.get(entry.interactionId) ?? 0))
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
  await page.goto('/websites')
  const rows = page.locator('tbody tr:nth-child(10)')
  await rows.waitFor()
  const quiet = () => page.waitForLoadState('networkidle')
  await quiet()
  for (let n = 0; n < 5; n++) {
    await page.getByRole('button', { name: 'Next page' }).click()
    await quiet()
  }
  for (let n = 0; n < 4; n++) {
    await page.locator('thead th button').first().click()
    await quiet()
  }
  const search = page.getByRole('textbox').first()
  await search.click()
  await search.pressSequentially('nordlys', { delay: 120 })
  await quiet()
  const durations = await page.evaluate(() => [
    ...(window as unknown as { byInteraction: Map<number, number> }).byInteraction.values(), // set by the script above
  ])
  await context.close()
  const { p50, max } = percentiles(durations)
  const p75 = durations.toSorted((a, b) => a - b)[Math.floor(0.75 * (durations.length - 1))] ?? Number.NaN
  return { p50, p75, longest: max, count: durations.length }
}
