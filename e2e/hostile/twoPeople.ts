import type { Page } from 'playwright-core'
import { letPass } from '../../bin/pass.ts'
import { openBrowser, person, settled } from '../browser.ts'

/** A place without a form is not tried after this time. */
const FORM_MS = 30_000
/** A choice that a form offers comes within this time. */
const CHOICE_MS = 4000

/** A field of a form, by its place among the inputs. */
interface Field {
  at: number
  label: string
  value: string
  kind: 'text' | 'number' | 'switch' | 'other'
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
 * Two browsers open the form of each place: a path, or a path and the buttons that lead to a dialog, `/plans > Actions > Change`.
 * One changes a field, the other saves this field and another one first; the first saves and keeps theirs. Both changes must be
 * stored. Changes rows of the Innkeeper at `url`: give it sample data.
 */
export async function twoPeople(url: string, token: string, places: readonly string[], say: (line: string) => void) {
  const browser = await openBrowser('127.0.0.1')
  const violations: string[] = []
  let forms = 0
  try {
    const [one, other] = [await windowOf(), await windowOf()]
    for (const place of places) {
      const found = await tryForm(place, one, other).catch(
        (error: unknown) => `not tried: ${String(error).slice(0, 200)}`,
      )
      say(`${place} ${found}`)
      if (found.startsWith('kept')) forms++
      else if (found.startsWith('lost')) violations.push(`${place} ${found}`)
    }
  } finally {
    await browser.close()
  }
  return { forms, places: places.length, violations }

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

async function tryForm(place: string, one: Window, other: Window): Promise<string> {
  const fields = (await open(one.page, place)).filter(({ kind }) => kind !== 'other')
  const shared = fields.findLast(({ kind }) => kind === 'text') ?? fields.at(-1)
  const theirs = fields.find((field) => field !== shared)
  if (!shared) return 'has no field that can be changed'
  await open(other.page, place)
  await change(one.page, shared, 1)
  if (shared.kind !== 'switch') await change(other.page, shared, 2) // otherwise both would change it to the same
  if (theirs) await change(other.page, theirs, 3)
  const [mine, others] = [await shownIn(one.page, shared), theirs && (await shownIn(other.page, theirs))]
  const first = (await save(other, shared)).at(-1) // a question may come before
  if (!first || first.status >= 300)
    return `was refused to the other: ${first ? `${first.status} ${first.call}` : 'nothing was sent'}`
  const second = (await save(one, shared)).find(({ call }) => call === first.call)
  let last = second
  if (second?.status === 409) {
    // a form whose fields do not contradict those of the other has taken them, and is saved again
    const mineToo = one.page.getByRole('button', { name: 'Keep mine', exact: true })
    await mineToo.click({ timeout: CHOICE_MS }).catch(() => undefined)
    last = (await save(one, shared)).find(({ call }) => call === first.call) ?? last
  }
  const names = [shared, theirs].flatMap((field) => field?.label ?? [])
  const how = `${names.join(' and ')}: ${first.call} ${second?.status} ${last === second ? '' : last?.status}`
  if (!last || last.status >= 300) return `was refused: ${how}`
  await open(one.page, place)
  const isKept = (await shownIn(one.page, shared)) === mine && (!theirs || (await shownIn(one.page, theirs)) === others)
  return `${isKept ? 'kept' : 'lost'} ${how}`
}

/** Loads the form anew, so that nothing of it comes from the browser's memory. */
async function open(page: Page, place: string): Promise<Field[]> {
  const [path = '/', ...steps] = place.split(' > ')
  await page.goto(path)
  await settled(page)
  for (const step of steps) {
    const name = new RegExp(`^${step}`)
    await page
      .getByRole('button', { name })
      .or(page.getByRole('menuitem', { name }))
      .or(page.getByRole('tab', { name }))
      .first()
      .click()
  }
  await formOf(page).waitFor()
  await settled(page)
  return inputsOf(page).evaluateAll((inputs) =>
    (inputs as HTMLInputElement[]).map((input, at) => {
      // a field without a name finds something for the form, and is no part of it
      const isFixed = !input.name || input.disabled || input.readOnly || input.getAttribute('role') === 'combobox'
      const isText = input.type === 'text' || input.tagName === 'TEXTAREA'
      const kind = isFixed
        ? 'other'
        : input.type === 'checkbox'
          ? 'switch'
          : isText && /^\d+$/.test(input.value) && input.inputMode
            ? 'number'
            : isText && !input.inputMode && /^[\p{L}\d .,'()-]*$/u.test(input.value) // no address and no time
              ? 'text'
              : 'other'
      return { at, label: input.getAttribute('name') ?? '', value: input.value, kind }
    }),
  )
}
/** The form of the dialog that is open, otherwise the first of the page. */
const formOf = (page: Page) => page.locator('[role=dialog] form').or(page.locator('main form')).last()
const inputsOf = (page: Page) => formOf(page).locator(':is(input, textarea):visible')
const inputOf = (page: Page, { at }: Field) => inputsOf(page).nth(at)

/** The value of a field as it is stored: without spaces at its ends. */
const shownIn = async (page: Page, field: Field): Promise<string> =>
  field.kind === 'switch'
    ? String(await inputOf(page, field).isChecked())
    : (await inputOf(page, field).inputValue()).trim()

async function change(page: Page, field: Field, by: 1 | 2 | 3): Promise<void> {
  const input = inputOf(page, field)
  if (field.kind === 'switch') return input.click({ force: true })
  // names of machines and accounts have no spaces
  const text = /^\S+$/.test(field.value) ? `${field.value}${by}` : `${field.value} by ${by}`
  await input.fill(field.kind === 'number' ? String(Number(field.value) + by) : text)
  await input.blur()
}

/** What the form sent when it was saved; nothing if it sent nothing within ten seconds. */
async function save({ page, sent }: Window, field: Field): Promise<Sent[]> {
  const before = sent.length
  await inputOf(page, field).press('Control+Enter')
  for (let look = 0; look < 100 && sent.length === before; look++) await letPass(100, 'between two looks')
  await settled(page)
  return sent.slice(before).filter(({ call }) => !call.endsWith('/preview'))
}
