import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath, signedIn } from '../browser.ts'
import { repository } from '../innkeeper.ts'
import { countRequests, still } from '../traffic.ts'
import { Darkroom } from './picture.ts'
import { AT, openProvider, type Provider } from './provider.ts'
import { type Found, wordsOf, writeReport } from './report.ts'
import { type View, views } from './screens.ts'

/**
 * `npm run looks`: photographs screens in light, dark and on a phone, and compares them with the stored pictures.
 * `npm run looks -- websites home` takes only these screens, `--accept` stores what they show now.
 */
const { values: wanted, positionals } = parseArgs({
  allowPositionals: true,
  options: { accept: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !views.some((view) => view.name === name))
if (unknown.length) {
  console.error(`No screen ${unknown.join(', ')}. Screens: ${views.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
const chosen = views.filter(({ name }) => !positionals.length || positionals.includes(name))

const looks = [
  { look: 'light', viewport: { width: 1280, height: 800 }, scale: 0.5, theme: 'light', phone: false },
  { look: 'dark', viewport: { width: 1280, height: 800 }, scale: 0.5, theme: 'dark', phone: false },
  { look: 'phone', viewport: { width: 390, height: 844 }, scale: 0.6, theme: 'light', phone: true },
] as const
type Look = (typeof looks)[number]

const stored = join(import.meta.dirname, 'pictures')
const report = join(repository, 'data/looks-report')
rmSync(report, { recursive: true, force: true })
mkdirSync(report, { recursive: true })

const provider = await openProvider()
// with the scroll bars that Windows and Linux show
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--no-proxy-server', '--font-render-hinting=none'],
  ignoreDefaultArgs: ['--hide-scrollbars'],
})
const found: Found[] = []
const failed: string[] = []
try {
  await Promise.all(looks.map((look) => photograph(look, provider)))
} finally {
  await browser.close()
  provider.close()
}
tell()

async function photograph(look: Look, { url, token }: Provider): Promise<void> {
  const open = await person(look, url, signedIn(token))
  const stranger = await person(look, url, [])
  const room = await Darkroom.open(browser)
  const pages = { open: await open.newPage(), stranger: await stranger.newPage() }
  for (const view of chosen) {
    const page = view.path === '/login' ? pages.stranger : pages.open
    try {
      await keep(look, view, await pictureOf(page, view), room)
    } catch (error) {
      failed.push(`${view.name}, ${look.look}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
  }
}

async function person(look: Look, url: string, items: { name: string; value: string }[]): Promise<BrowserContext> {
  const localStorage = [...items, { name: 'innkeeper.theme', value: look.theme }]
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    reducedMotion: 'reduce',
    viewport: look.viewport,
    ...(look.phone && { hasTouch: true, isMobile: true }),
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
  context.setDefaultTimeout(120_000) // three windows share a machine that may be busy
  await context.clock.setFixedTime(AT)
  // former screens leave open sections of the menu behind: a picture shows the same whichever came before
  await context.addInitScript(
    (kept) => {
      const stored = window.localStorage
      for (const key of Object.keys(stored)) if (!kept.includes(key)) stored.removeItem(key)
    },
    localStorage.map(({ name }) => name),
  )
  countRequests(context)
  return context
}

/** The screen once two pictures in a row are the same. */
async function pictureOf(page: Page, { path, act }: View): Promise<Buffer> {
  await page.goto(path)
  await still(page)
  if (act) {
    await act(page)
    await still(page)
  }
  await page.evaluate(() => document.fonts.ready)
  let last = await shoot(page)
  for (let tries = 0; tries < 10; tries++) {
    const next = await shoot(page)
    if (next.equals(last)) return next
    last = next
  }
  throw new Error('it never stands still')
}
function shoot(page: Page): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

/** Compares a picture with the stored one, or stores the picture. */
async function keep({ look, scale }: Look, { name, path }: View, whole: Buffer, room: Darkroom): Promise<void> {
  const after = await room.shrink(whole, scale)
  const file = join(stored, look, `${name}.webp`)
  const before = existsSync(file) ? readFileSync(file) : undefined
  const difference = before && (await room.compare(before, after))
  if (before && !difference) return
  found.push({ look, name, path, percent: difference?.percent })
  if (wanted.accept) {
    mkdirSync(join(stored, look), { recursive: true })
    writeFileSync(file, after)
    return
  }
  const put = (kind: string, picture: Buffer | undefined, ending: string) =>
    picture && writeFileSync(join(report, `${kind}-${look}-${name}.${ending}`), picture)
  put('before', before, 'webp')
  put('after', after, 'webp')
  put('whole', whole, 'png')
  put('difference', difference?.picture, 'png')
}

function tell(): void {
  const order = (one: Found) => chosen.findIndex(({ name }) => name === one.name)
  found.sort((one, other) => order(one) - order(other))
  for (const { look, name, percent } of found) console.log(`${name}, ${look}: ${wordsOf(percent)}`)
  for (const line of failed) console.error(`No picture of ${line}`)
  const all = chosen.length * looks.length
  if (wanted.accept) console.log(`${found.length} of ${all} pictures stored anew`)
  else if (found.length) console.log(`${found.length} of ${all} pictures differ: ${writeReport(report, found)}`)
  else console.log(`All ${all} pictures show what is stored`)
  if (failed.length || (found.length && !wanted.accept)) process.exitCode = 1
}
