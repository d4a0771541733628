import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Innkeeper } from './innkeeper.ts'
import { countRequests } from './traffic.ts'
import { PATIENCE } from './until.ts'

const shots = join(import.meta.dirname, 'shots')
mkdirSync(shots, { recursive: true })

/** The shell is Chromium without windows and extensions: a screen costs a third less of a processor. */
const shell = '/usr/bin/chromium-headless-shell'
export const chromiumPath = process.env.INNKEEPER_CHROMIUM ?? (existsSync(shell) ? shell : '/usr/bin/chromium')

/**
 * Names below .example resolve to `address`; the browser reaches nothing outside this machine. Its scroll bars
 * take room, as on Windows and Linux.
 */
export function openBrowser(address: string): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--no-proxy-server',
      `--host-resolver-rules=MAP *.example ${address}`,
    ],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  })
}

export interface Look {
  /** User who is signed in; absent: nobody. */
  token?: string
  dark?: boolean
  /** A phone with a width of 390 px. */
  narrow?: boolean
}

/** A token in the storage of the browser, as earlier versions kept it: the web app moves it into the cookie. */
export const signedIn = (token: string) => [{ name: 'innkeeper.user', value: JSON.stringify({ jwt: token }) }]

/** A browser context of its own, isolated from others. */
export async function person(
  browser: Browser,
  innkeeper: Pick<Innkeeper, 'url'>,
  look: Look = {},
): Promise<BrowserContext> {
  const { token, dark, narrow } = look
  const localStorage = [
    ...(token ? signedIn(token) : []),
    ...(dark ? [{ name: 'innkeeper.theme', value: 'dark' }] : []),
  ]
  const context = await browser.newContext({
    baseURL: innkeeper.url,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: narrow ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    ...(narrow && { hasTouch: true, isMobile: true }),
    storageState: { cookies: [], origins: [{ origin: innkeeper.url, localStorage }] },
  })
  context.setDefaultTimeout(PATIENCE)
  countRequests(context)
  return context
}

/**
 * Expected console errors: 4xx answers, which the browser logs by itself, and loads that the browser aborts because a
 * practice host added or removed a network on this machine.
 */
const expected = /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_NETWORK_CHANGED)/

/** Collects unexpected console errors and page errors from now on. */
export function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !expected.test(text)) found.push(`${page.url()}: ${text}`)
  })
  page.on('pageerror', (error) => found.push(`${page.url()}: ${error.stack ?? error.message}`))
  return found
}

/** Adds up the layout shifts of a page from now on, as browsers measure them. `restart` begins a new sum. */
export async function layoutShifts(page: Page): Promise<{ restart: () => Promise<void>; sum: () => Promise<Shifts> }> {
  await page.addInitScript(() => {
    const shifts: Shifts = { score: 0, moved: [], since: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, sources, startTime } of list.getEntries() as LayoutShift[]) {
        if (startTime < shifts.since) continue // reported late
        const moved = sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement))
        // not counted: the menu opens the section of the current page, and a new notice moves the older ones up
        if (moved.some((element) => element?.closest('[aria-label="Main menu"], [aria-label="Notices"]'))) continue
        shifts.score += value
        shifts.moved.push(
          `${value}: ${moved.map((element) => element?.outerHTML.slice(0, 160) ?? 'gone').join('\n  ')}`,
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return {
    restart: () =>
      page.evaluate(() => {
        Object.assign((window as Observed).shifts, { score: 0, moved: [], since: performance.now() })
      }),
    sum: () => page.evaluate(() => (window as Observed).shifts),
  }
}
interface Shifts {
  /** Cumulative layout shift; 0 if nothing moved. */
  score: number
  /** The start of the HTML of each moved element. */
  moved: string[]
  /** Start of what is counted, on the clock of the page. */
  since: number
}
interface LayoutShift extends PerformanceEntry {
  value: number
  sources: { node?: Node }[]
}
type Observed = Window & typeof globalThis & { shifts: Shifts }

/** Waits until the page has rendered and no request is pending. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Serious and critical accessibility violations, one line each. */
export async function violations(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window) // a page that follows links keeps the 600 kB of axe
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: ';' }) })
  // only violations, not every passing node, and not the dearest rule whose violations are moderate at most
  axe.options({ resultTypes: ['violations'], rules: { region: { enabled: false } } })
  if (page.frames().length === 1) axe.setLegacyMode() // otherwise axe opens another page to merge the results of frames
  const { violations: all } = await axe.analyze()
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)}`)
}

/** Saves a screenshot in e2e/shots, which git ignores. */
export const shoot = (page: Page, name: string) => page.screenshot({ path: join(shots, `${name}.png`) })
