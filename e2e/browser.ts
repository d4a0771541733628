import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import type { Innkeeper } from './innkeeper.ts'

const shots = join(import.meta.dirname, 'shots')
mkdirSync(shots, { recursive: true })

export const chromiumPath = process.env.INNKEEPER_CHROMIUM ?? '/usr/bin/chromium'

/** Names below .example lead to `address`, as a visitor's name server would; nothing leaves this machine. */
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
  /** Signed in with it; absent: nobody. */
  token?: string
  dark?: boolean
  /** A phone of 390 px. */
  narrow?: boolean
}

/** What the web app keeps of somebody who has signed in. */
export const signedIn = (token: string) => [{ name: 'innkeeper.user', value: JSON.stringify({ jwt: token }) }]

/** A person's own browser: nothing is shared with another's. */
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

/** Requests of each page that have no answer yet. */
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

/** How this app says that something is still to come. */
const LOADING = '[aria-busy="true"], [aria-label="Loading"], .mantine-Skeleton-root'
const CALM = 3

/**
 * The same as `settled`, without the half second that the network has to be silent for: no request is under way, nothing
 * says that it is loading, and the page has nothing left to do, looked at several times.
 */
export async function still(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const asked = underWay.get(page) ?? new Set()
  const last = Date.now() + 10_000
  for (let calm = 0; calm < CALM; ) {
    if (Date.now() > last) throw new Error(`${page.url()} still loads: ${[...asked].map((one) => one.url())}`)
    await page.evaluate(() => new Promise((idle) => setTimeout(() => requestIdleCallback(idle), 30)))
    calm = asked.size || (await page.locator(LOADING).count()) ? 0 : calm + 1
  }
}

/**
 * An answer of 4xx, which the browser logs by itself; and a load that it broke off because this machine got or lost a
 * network meanwhile: every practice host is one.
 */
const expected = /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_NETWORK_CHANGED)/

/** What the page complains of from now on, but for what is expected. */
export function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !expected.test(text)) found.push(`${page.url()}: ${text}`)
  })
  page.on('pageerror', (error) => found.push(`${page.url()}: ${error.stack ?? error.message}`))
  return found
}

/** The page has drawn itself and nothing that it asked for is still under way. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Serious and critical violations, one line each. */
export async function violations(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }) // not every node that is as it should be
  if (page.frames().length === 1) axe.setLegacyMode() // else it opens another page, to add up what the frames say
  const { violations: all } = await axe.analyze()
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)}`)
}

/** Kept in e2e/shots, which git ignores. */
export const shoot = (page: Page, name: string) => page.screenshot({ path: join(shots, `${name}.png`) })
