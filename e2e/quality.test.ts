import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { imported } from '../server/test/hostile/world/quality.ts'
import { complaints, openBrowser, person, settled, shoot } from './browser.ts'
import { Innkeeper } from './innkeeper.ts'
import { until } from './until.ts'

const v2 = '/qa-controller-v2'
const chats = '/chat-controller-v2'

let innkeeper: Innkeeper
let browser: Browser
let context: BrowserContext
let page: Page
let complained: string[]
const must: Innkeeper['must'] = (...asked) => innkeeper.must(...asked)
const idOf = async (name: string): Promise<number> =>
  (await must('GET', '/auth/users?itemsPerPage=50')).items.find(
    ({ username }: { username: string }) => username === name,
  ).id

beforeAll(async () => {
  const reviewing = ['qa:chat:read', 'qa:chat:review', 'qa:score-type:read', 'qa:score-grade:read']
  innkeeper = await Innkeeper.open({ people: { mari: [], other: reviewing } })
  browser = await openBrowser('127.0.0.1')
  const source = await must('POST', `${v2}/sources`, { name: 'Chats' })
  const names = ['one', 'two', 'three', 'four']
  const items = names.map((name) => JSON.stringify(imported('chat', name)))
  await must('POST', `${v2}/sources/${source.id}/file`, new Blob([items.join('\n')]))
  for (const { id, identity } of (await must('GET', `${v2}/identities?itemsPerPage=50`)).items)
    if (identity === 'mari') await must('PATCH', `${v2}/identities/${id}`, { userId: await idOf('mari') })
})
afterAll(async () => {
  await browser?.close()
  await innkeeper?.close()
})
beforeEach(async () => {
  context = await person(browser, innkeeper, { token: innkeeper.token })
  page = await context.newPage()
  complained = complaints(page)
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await shoot(page, `failed ${task.name.slice(0, 60)}`)
  await context.close()
})

/** The chat of this name, wherever it is. */
async function chatOf(name: string): Promise<number> {
  for (const place of ['archive', 'queue'])
    for (const { id, subject } of (await must('GET', `${chats}/chats/${place}?itemsPerPage=50`)).items)
      if (subject === `About ${name}`) return id
  throw new Error(`There is no chat ${name}`)
}

/** The rows of the CSV file that this click downloads, without the heading. */
async function downloaded(click: () => Promise<void>): Promise<string[][]> {
  const coming = page.waitForEvent('download')
  await click()
  const text = readFileSync(await (await coming).path(), 'utf8').replace(/^\ufeff/, '')
  const [heading = '', ...lines] = text.trim().split(/\r?\n/)
  const names = heading.split(',')
  expect(names.length).toBeGreaterThan(1)
  return lines.map((line) => line.split(',').slice(0, names.length))
}

test('the review screen goes on when somebody else has reviewed its chat', async () => {
  const gradeIds: number[] = []
  for (const [name, value] of [
    ['Poor', 0],
    ['Good', 100],
  ] as const)
    gradeIds.push((await must('POST', `${v2}/score/grades`, { name, value })).id)
  const type = await must('POST', `${v2}/score/types`, { name: 'Tone', weight: 20, gradeIds })
  const found = (await must('GET', `${chats}/chats/archive?itemsPerPage=100`)).items as {
    id: number
    subject: string
  }[]
  for (const { id } of found) await must('POST', `${chats}/chats/${id}/queue`, {})
  const title = () => page.getByRole('heading', { level: 1 }).innerText()
  await page.goto('/qc/chats/review')
  await until('a chat is shown', async () => (await title()).startsWith('About'))
  const first = await title()
  const shown = found.find(({ subject }) => subject === first)!
  // the lease of a reviewer who does nothing runs out, and somebody else takes the chat
  await page.route('**/lease', (route) => route.fulfill({ status: 200, json: {} }))
  const other = await innkeeper.signIn('other')
  await must('DELETE', `${chats}/chats/${shown.id}/lease`)
  await must('POST', `${chats}/chats/${shown.id}/lease`, {}, other)
  const data = { scores: [{ scoreTypeId: type.id, gradeId: gradeIds[1] }] }
  const body = { chatId: shown.id, agents: [await idOf('mari')], data }
  await must('POST', `${chats}/reviews`, body, other)
  await page.getByText('Somebody else was faster.').waitFor()
  await until('the next chat is shown', async () => {
    const now = await title()
    return now.startsWith('About') && now !== first
  })
  expect(complained).toEqual([])
})

test('a saved view of a department shows and exports what its people did, after they have left it', async () => {
  const department = async (name: string): Promise<number> => (await must('POST', '/auth/departments', { name })).id
  const [then, now] = [await department('Then'), await department('Now')]
  const mari = await idOf('mari')
  const move = async (departmentId: number) => {
    const { version } = await must('GET', `/auth/users/${mari}`)
    await must('PATCH', `/auth/users/${mari}`, { departmentId, version })
  }
  await move(then)
  const source = (await must('GET', `${v2}/sources`)).items[0]
  const at = new Date().toISOString()
  const importing = (name: string) => {
    const item = imported('chat', name)
    for (const message of item.messages) message.at = at
    return must('POST', `${v2}/sources/${source.id}/file`, new Blob([JSON.stringify(item)]))
  }
  await importing('before')
  const filters = { department: [String(then)] }
  await must('POST', '/views', { list: 'qc-chat-archive', name: 'Ours', filters })
  await move(now)
  await page.goto('/qc/chats')
  await page.getByRole('button', { name: 'Ours', exact: true }).click()
  await page.getByText('About before').first().waitFor()
  await settled(page)
  const rows = await downloaded(() => page.getByRole('button', { name: 'Download as CSV' }).click())
  expect(rows.map(([subject]) => subject)).toEqual(['About before'])
  const figures = await must('GET', `${chats}/chats/archive?department=${now}`)
  expect(figures.total).toBe(0)
  expect(complained).toEqual([])
})

test('hours by the clock and hours really worked are beside each other in the month, the period and the CSV', async () => {
  await must('PATCH', '/event-calendar/workplaces', {
    ...{ departmentId: null, country: 'NO', region: null, timeZone: 'Europe/Oslo' },
  })
  const at = '/calendar/shifts'
  const night = await must('POST', `${at}/type`, { name: 'Night', startTime: '22:00', endTime: '06:00' })
  const userId = await idOf('mari')
  // an hour is skipped on 28 March and repeated on 31 October
  for (const date of ['2027-03-27', '2027-10-30']) await must('POST', at, { userId, date, shiftTypeId: night.id })
  for (const [month, last, worked] of [
    ['2027-03', '31', 7],
    ['2027-10', '31', 9],
  ] as const) {
    await page.goto(`/calendar/shifts/manage?day=${month}-01`)
    const table = page.getByRole('region', { name: 'Hours' }).getByRole('row', { name: /Some mari/ })
    await table.waitFor()
    const cells = (await table.getByRole('cell').allInnerTexts()).slice(0, 4)
    expect(cells).toEqual(['Some mari', '1', '8.0', `${worked}.0`])
    await page.getByRole('button', { name: 'Download the hours as CSV' }).click()
    const rows = await downloaded(() => page.getByRole('button', { name: 'Download CSV' }).click())
    const row = rows.find(([name]) => name === 'Some mari')
    expect(row?.slice(0, 6)).toEqual(['Some mari', `${month}-01`, `${month}-${last}`, '1', '8', String(worked)])
  }
  // a period over both
  const { items } = await must('GET', `${at}/hours?from=2027-03-27&to=2027-10-30`)
  expect(items.find((row: { userId: number }) => row.userId === userId)).toMatchObject({ hours: 16, workedHours: 16 })
  expect(complained).toEqual([])
})

test('what was typed or asked about one row does not reach the next one', async () => {
  const bug = (title: string) => must('POST', '/bug-report/bugs', { title, description: title })
  const [first, second] = [await bug('First bug'), await bug('Second bug')]
  const to = async (path: string, heading: string) => {
    await page.evaluate((next) => history.pushState({}, '', next), path)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  const dialogs = () => page.getByRole('dialog').count()
  await page.goto(`/internal-tickets/bugs/${second.id}`)
  await settled(page)
  await to(`/internal-tickets/bugs/${first.id}`, 'First bug')
  // an open dialog
  await page.getByRole('button', { name: 'Edit' }).first().click()
  await page.getByRole('dialog').getByLabel('Title').waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Second bug' }).waitFor()
  await settled(page)
  expect(await dialogs()).toBe(0)
  // what was typed is kept, or left by a decision
  await page.getByRole('button', { name: 'Edit' }).first().click()
  await page.getByRole('dialog').getByLabel('Title').fill('Typed for the second')
  await page.goForward()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'First bug' }).waitFor()
  await settled(page)
  expect(await dialogs()).toBe(0)
  await page.getByRole('button', { name: 'Edit' }).first().click()
  expect(await page.getByRole('dialog').getByLabel('Title').inputValue()).toBe('First bug')
  await page.keyboard.press('Escape')
  // a question
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByText(`Delete ${first.key}?`).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Second bug' }).waitFor()
  await settled(page)
  expect(await dialogs()).toBe(0)
  expect((await must('GET', `/bug-report/bugs/${first.id}`)).deletedAt).toBeNull()

  // a screen of another domain, whose parameter has other names
  const escalation = async (name: string) => {
    const chatId = await chatOf(name)
    return (await must('POST', `${chats}/escalations`, { chatId, escalationDTO: { reason: `About ${name}` } })).id
  }
  const [one, two] = [await escalation('one'), await escalation('two')]
  await page.goto(`/qc-v2/chat-escalations/${one}`)
  await settled(page)
  await to(`/qc-v2/chat-escalations/${two}`, 'About two')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'About one' }).waitFor()
  await settled(page)
  expect(await dialogs()).toBe(0)
  expect(complained).toEqual([])
})

test('a form that the address fills begins anew with the next address', async () => {
  const templates = '/sms/templates'
  for (const name of ['morning', 'evening'])
    await must('POST', templates, { name, body: `Good ${name}`, description: name })
  await page.goto('/sms/messages/create?template=morning')
  await settled(page)
  await page.evaluate(() => history.pushState({}, '', '/sms/messages/create?template=evening'))
  await page.getByText('Good evening').first().waitFor()
  expect(complained).toEqual([])
})

test('lists mark what is past its date and filter it', async () => {
  const chatId = await chatOf('three')
  const due = { reason: 'Late since long', dueAt: '2026-01-01T10:00:00Z' }
  await must('POST', `${chats}/escalations`, { chatId, escalationDTO: due })
  await page.goto('/qc-v2/escalations?overdue=true')
  const row = page.getByRole('row', { name: /Late since long/ })
  await row.getByText(/^Late: /).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await page.goto('/qc-v2/feedbacks?overdue=true')
  await settled(page)
  expect(complained).toEqual([])
})
