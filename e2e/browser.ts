import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import type { Innkeeper } from './innkeeper.ts'

const shots = join(import.meta.dirname, 'shots')
mkdirSync(shots, { recursive: true })

export const chromiumPath = process.env.INNKEEPER_CHROMIUM ?? '/usr/bin/chromium'

/** Names below .example resolve to `address`; the browser reaches nothing outside this machine. */
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
  })
}

export interface Look {
  /** User who is signed in; absent: nobody. */
  token?: string
  dark?: boolean
  /** A phone with a width of 390 px. */
  narrow?: boolean
}

/** What the web app stores in the browser for a signed-in person. */
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
  context.setDefaultTimeout(10_000)
  countRequests(context)
  return context
}

/** Unanswered requests of each page. */
const underWay = new WeakMap<Page, Set<Request>>()

function countRequests(context: BrowserContext): void {
  context.on('page', (page) => {
    const asked = new Set<Request>()
    underWay.set(page, asked)
    page.on('request', (request) => void asked.add(request))
    page.on('requestfinished', (request) => void asked.delete(request))
    page.on('requestfailed', (request) => void asked.delete(request))
  })
}

/** Selector of the elements that the app shows while content is loading. */
const LOADING = '[aria-busy="true"], [aria-label="Loading"], .mantine-Skeleton-root'
const CALM = 3

/**
 * Waits like `settled`, but without half a second of network silence: no request is pending, no loading indicator is
 * visible, and the page is idle at several consecutive checks.
 */
export async function still(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const asked = underWay.get(page) ?? new Set()
  const last = Date.now() + 30_000
  for (let calm = 0; calm < CALM; ) {
    if (Date.now() > last) throw new Error(`${page.url()} still loads: ${[...asked].map((one) => one.url())}`)
    await page.evaluate(() => new Promise((idle) => setTimeout(() => requestIdleCallback(idle), 30)))
    calm = asked.size || (await page.locator(LOADING).count()) ? 0 : calm + 1
  }
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

/** Waits until the page has rendered and no request is pending. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Serious and critical accessibility violations, one line each. */
export async function violations(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }) // only violations, not every passing node
  if (page.frames().length === 1) axe.setLegacyMode() // otherwise axe opens another page to merge the results of frames
  const { violations: all } = await axe.analyze()
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)}`)
}

/** Saves a screenshot in e2e/shots, which git ignores. */
export const shoot = (page: Page, name: string) => page.screenshot({ path: join(shots, `${name}.png`) })
