import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, person, settled } from './browser.ts'
import { Innkeeper } from './innkeeper.ts'
import { until } from './until.ts'

let innkeeper: Innkeeper
let browser: Browser
beforeAll(async () => {
  innkeeper = await Innkeeper.open()
  browser = await openBrowser('127.0.0.1')
})
afterAll(async () => {
  await browser?.close()
  await innkeeper?.close()
})

/** Width of the search field, which is as wide as the page if the styles are missing. */
const width = async (page: Page) => (await page.getByPlaceholder('Name').boundingBox())?.width ?? 0

test('stylesheets that failed to load are fetched again, and the screen has its layout', async () => {
  const context = await person(browser, innkeeper, { token: innkeeper.token })
  const page = await context.newPage()
  await page.goto('/ifm')
  await page.getByPlaceholder('Name').waitFor()
  await settled(page)
  const right = await width(page)
  await context.close()

  const second = await person(browser, innkeeper, { token: innkeeper.token })
  const lost = new Set<string>()
  const again = await second.newPage()
  // only the first request of each, as after a change of network
  await again.route('**/assets/*.css', (route) => {
    const url = route.request().url()
    if (lost.has(url) || /\/base-/.test(url)) return route.continue()
    lost.add(url)
    return route.abort('internetdisconnected')
  })
  await again.goto('/ifm')
  const retry = again.getByRole('button', { name: 'Try again' })
  await until('the list is there', async () => {
    if (await retry.isVisible()) await retry.click()
    return again.getByPlaceholder('Name').isVisible()
  })
  expect(lost.size).toBeGreaterThan(2)
  await until('the field has its width', async () => (await width(again)) === right)
  await second.close()
})

test('a script that failed to load is fetched again without a message', async () => {
  const context = await person(browser, innkeeper, { token: innkeeper.token })
  const page = await context.newPage()
  let lost = 0
  await page.route('**/assets/IfmScreen-*.js*', (route) => {
    lost += 1
    return lost === 1 ? route.abort('internetdisconnected') : route.continue()
  })
  await page.goto('/ifm')
  await page.getByPlaceholder('Name').waitFor()
  expect(lost).toBe(2)
  await context.close()
})

test('the body of a screen does not scroll while its blocks load, because no key reaches what they hide', async () => {
  const context = await person(browser, innkeeper, { token: innkeeper.token })
  const page = await context.newPage()
  await page.goto('/leaves/my')
  const blocks = await page.waitForFunction(() => {
    const parent = document.querySelector('[data-waiting]')?.parentElement
    return parent && getComputedStyle(parent).overflowY
  })
  expect(await blocks.jsonValue()).toBe('hidden')
  await page.waitForFunction(() => !document.querySelector('[data-waiting]'))
  await context.close()
})
