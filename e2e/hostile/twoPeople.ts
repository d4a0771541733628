import type { Page } from 'playwright-core'
import { letPass } from '../../bin/pass.ts'
import { openBrowser, person, settled } from '../browser.ts'

/** A path without a form is not tried after this time. */
const FORM_MS = 30_000

/** A field of a form, by its place among the inputs. */
interface Field {
  at: number
  label: string
  value: string
  isText: boolean
}
interface Sent {
  call: string
  status: number
  body: string
}
interface Window {
  page: Page
  sent: Sent[]
}

/**
 * Two browsers open the form of each path. One changes a field, the other saves this field and another one first; the
 * first saves and keeps theirs. Both changes must be stored. Changes rows of the Innkeeper at `url`: give it sample data.
 */
export async function twoPeople(url: string, token: string, paths: readonly string[], say: (line: string) => void) {
  const browser = await openBrowser('127.0.0.1')
  const violations: string[] = []
  let forms = 0
  try {
    const [one, other] = [await windowOf(), await windowOf()]
    for (const path of paths) {
      const found = await tryForm(path, one, other).catch(
        (error: unknown) => `not tried: ${String(error).slice(0, 200)}`,
      )
      say(`${path} ${found}`)
      if (found.startsWith('kept')) forms++
      else if (found.startsWith('lost')) violations.push(`${path} ${found}`)
    }
  } finally {
    await browser.close()
  }
  return { forms, paths: paths.length, violations }

  async function windowOf(): Promise<Window> {
    const page = await (await person(browser, { url }, { token })).newPage()
    page.setDefaultTimeout(FORM_MS)
    const sent: Sent[] = []
    page.on('response', (answer) => {
      const asked = answer.request()
      if (asked.method() === 'GET' || !asked.url().includes('/api/')) return
      const call = `${asked.method()} ${new URL(asked.url()).pathname}`
      sent.push({ call, status: answer.status(), body: asked.postData() ?? '' })
    })
    page.on('dialog', (dialog) => void dialog.accept())
    return { page, sent }
  }
}

async function tryForm(path: string, one: Window, other: Window): Promise<string> {
  const fields = await open(one.page, path)
  const texts = fields.filter(({ isText }) => isText)
  const shared = texts.at(-1)
  const theirs = texts.at(0)
  if (!shared || !theirs) return 'has no text field'
  await open(other.page, path)
  await change(one.page, shared, ' mine')
  await change(other.page, shared, ' theirs')
  if (theirs !== shared) await change(other.page, theirs, ' other')
  const wanted = [await textOf(one.page, shared), await textOf(other.page, theirs)]
  const [first] = await save(other, shared)
  if (!first || first.status >= 300) return `was refused to the other: ${first?.status}`
  const second = (await save(one, shared)).find(({ call }) => call === first.call)
  if (second?.status === 409) {
    await one.page.getByRole('button', { name: 'Keep mine', exact: true }).click()
    await save(one, shared)
  }
  await open(one.page, path)
  const stored = [await textOf(one.page, shared), await textOf(one.page, theirs)]
  const isKept = stored[0] === wanted[0] && (theirs === shared || stored[1] === wanted[1])
  return `${isKept ? 'kept' : 'lost'} ${shared.label} and ${theirs.label}: ${first.call} ${second?.status}`
}

/** Loads the form anew, so that nothing of it comes from the browser's memory. */
async function open(page: Page, path: string): Promise<Field[]> {
  await page.goto(path)
  await page.locator('main form').first().waitFor()
  await settled(page)
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('main form :is(input, textarea)')].map((input, at) => ({
      at,
      label: input.getAttribute('name') ?? '',
      value: input.value,
      isText:
        !input.disabled &&
        !input.readOnly &&
        input.getAttribute('role') !== 'combobox' &&
        !input.inputMode &&
        (input.type === 'text' || input.tagName === 'TEXTAREA'),
    })),
  )
}
const inputOf = (page: Page, { at }: Field) => page.locator('main form :is(input, textarea)').nth(at)
/** The text of a field as it is stored: without spaces at its ends. */
const textOf = async (page: Page, field: Field) => (await inputOf(page, field).inputValue()).trim()
async function change(page: Page, field: Field, more: string): Promise<void> {
  await inputOf(page, field).fill(`${field.value}${more}`)
  await inputOf(page, field).blur()
}

/** What the form sent when it was saved; nothing if it sent nothing within ten seconds. */
async function save({ page, sent }: Window, field: Field): Promise<Sent[]> {
  const before = sent.length
  await inputOf(page, field).press('Control+Enter')
  for (let look = 0; look < 100 && sent.length === before; look++) await letPass(100, 'between two looks')
  return sent.slice(before).filter(({ status }) => status !== 0)
}
