import type { BrowserContext, Page, Request } from 'playwright-core'
import { PATIENCE } from './until.ts'

interface Traffic {
  /** Unanswered requests. */
  pending: Set<Request>
  /** Number of requests that the page has sent. */
  sent: number
}
const trafficOf = new WeakMap<Page, Traffic>()

/** Counts the requests of each page of a browser, for `still`. */
export function countRequests(context: BrowserContext): void {
  context.on('page', (page) => {
    const traffic: Traffic = { pending: new Set(), sent: 0 }
    trafficOf.set(page, traffic)
    page.on('request', (request) => {
      traffic.pending.add(request)
      traffic.sent += 1
    })
    page.on('requestfinished', (request) => void traffic.pending.delete(request))
    page.on('requestfailed', (request) => void traffic.pending.delete(request))
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
  const traffic = trafficOf.get(page) ?? { pending: new Set<Request>(), sent: 0 }
  for (const last = Date.now() + PATIENCE; Date.now() < last; ) {
    const { sent } = traffic
    const isCalm = await page.evaluate(isIdle, { loading: LOADING, checks: CALM })
    if (isCalm && !traffic.pending.size && traffic.sent === sent) return
  }
  const shown = await page
    .locator(LOADING)
    .evaluateAll((found) => found.map(({ outerHTML }) => outerHTML.slice(0, 200)))
  const asked = [...traffic.pending].map((request) => request.url())
  throw new Error(`${page.url()} still loads after ${traffic.sent} requests: ${[...asked, ...shown].join('\n')}`)
}

/** Runs in the page: whether no loading indicator appears during this many idle periods. */
async function isIdle({ loading, checks }: { loading: string; checks: number }): Promise<boolean> {
  for (let check = 0; check < checks; check++) {
    await new Promise((idle) => setTimeout(() => requestIdleCallback(idle), 30))
    if (document.querySelector(loading)) return false
  }
  return true
}
