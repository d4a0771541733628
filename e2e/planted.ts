import type { Page } from 'playwright-core'
import { sampleAnswer, withRow } from './sampleRows.ts'

/** What a customer may write: scripts in every form, a word without an end, a character that turns around what follows. */
const markup = [
  '<img src=x onerror="window.ran=1"></textarea></script><script>window.ran=1</script><svg onload=window.ran=1>',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>[more](javascript:window.ran=1)<style>body{display:none}',
  `${'W'.repeat(120)}\u202e`,
].join('')
const script = 'javascript:window.ran=1'
const links = new Set(['link', 'url', 'href', 'website', 'page', 'to'])
/** Fields of names and texts; other strings with a space are texts, too. */
const texts = new Set(
  (
    'name title subject body text description comment note reason summary label message line content contents value ' +
    'firstName lastName fileName domainName author customer department location path words'
  ).split(' '),
)
/** Codes, ids, dates, permissions and names of hosts, which nobody writes freely. */
const isCode = (text: string) =>
  /^[a-z0-9][a-z0-9:._@/-]*$/.test(text) || /^[A-Z][A-Z0-9_]{0,11}$/.test(text) || /^\d{4}-\d\d-\d\d/.test(text)

function plant(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => plant(one, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plant(one, name)]))
  if (typeof value !== 'string' || value === '') return value
  if (links.has(key)) return script
  return (texts.has(key) || value.includes(' ')) && !isCode(value) ? `${value} ${markup}` : value
}

/**
 * Plants markup into every text of every answer that this page gets, as if customers had written it. Empty lists get a
 * row, and rows that do not exist are made up.
 */
export const plantMarkup = (page: Page): Promise<unknown> =>
  page.route('**/api/**', async (route) => {
    const answer = await route.fetch()
    const { pathname } = new URL(route.request().url())
    const request = `${route.request().method()} ${pathname.slice('/api'.length)}`
    const made = answer.status() === 404 ? sampleAnswer(request) : undefined
    if (made !== undefined) return route.fulfill({ status: 200, json: plant(made) })
    const isJson = answer.headers()['content-type']?.startsWith('application/json')
    if (!isJson || !answer.ok()) return route.fulfill({ response: answer })
    return route.fulfill({ response: answer, json: plant(withRow(await answer.json(), request)) })
  })

/** What of the planted markup became more than text, which cells of lists it leaves, and whether the page shows any. */
export const plantedIn = (page: Page): Promise<{ active: string[]; spilled: string[]; isShown: boolean }> =>
  page.evaluate(() => {
    const marks = 'img[src="x"], svg[onload], iframe[srcdoc], [href^="javascript:" i], [src^="javascript:" i]'
    const htmlOf = ({ outerHTML }: Element) => outerHTML.slice(0, 200)
    const cells = [...document.querySelectorAll('table[data-rows] td')]
    return {
      active: [
        ...[...document.querySelectorAll(marks)].map(htmlOf),
        ...('ran' in window ? ['a script ran'] : []),
        ...(document.body.checkVisibility() ? [] : ['a style hides the page']),
      ],
      spilled: cells
        .filter((cell) => getComputedStyle(cell).overflowX === 'visible' && cell.scrollWidth > cell.clientWidth + 1)
        .map(htmlOf),
      isShown: document.body.innerText.includes('<img src=x'),
    }
  })
