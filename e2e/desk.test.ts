import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { isWhole } from '../bin/slice.ts'
import { imported } from '../server/test/hostile/world/quality.ts'
import { complaints, openBrowser, person, settled, shoot } from './browser.ts'
import { Innkeeper } from './innkeeper.ts'
import { plantedIn, plantMarkup } from './planted.ts'
import { until } from './until.ts'

/** The reviews of a working day; a short run makes only a few. */
const REVIEWS = isWhole ? 40 : 5
const v2 = '/qa-controller-v2'

let innkeeper: Innkeeper
let browser: Browser
let context: BrowserContext
let page: Page
let complained: string[]

beforeAll(async () => {
  innkeeper = await Innkeeper.open({ people: { mari: [], ole: [] } })
  browser = await openBrowser('127.0.0.1')
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
  if (task.result?.state === 'fail') await shoot(page, `failed ${task.name}`)
  await context.close()
})

async function prepareReviews(): Promise<void> {
  const must = innkeeper.must.bind(innkeeper)
  const poor = await must('POST', `${v2}/score/grades`, { name: 'Poor', value: 0, needsComment: true })
  const fair = await must('POST', `${v2}/score/grades`, { name: 'Fair', value: 50, position: 1 })
  const good = await must('POST', `${v2}/score/grades`, { name: 'Good', value: 100, position: 2 })
  const gradeIds = [poor.id, fair.id, good.id]
  for (const [position, name] of ['Solution', 'Tone', 'Language'].entries())
    await must('POST', `${v2}/score/types`, { name, weight: 20, gradeIds, position })
  const source = await must('POST', `${v2}/sources`, { name: 'Chats' })
  const items = Array.from({ length: REVIEWS }, (_, n) =>
    JSON.stringify(imported('chat', `chat-${n}`, 'mari@example.org')),
  )
  await must('POST', `${v2}/sources/${source.id}/file`, new Blob([items.join('\n')]))
  const found = await must('GET', '/chat-controller-v2/chats/archive?itemsPerPage=100')
  for (const { id } of found.items) await must('POST', `/chat-controller-v2/chats/${id}/queue`, {})
}

test(`${REVIEWS} reviews by keyboard alone`, async () => {
  await prepareReviews()
  await page.goto('/qc/chats/review')
  const title = () => page.getByRole('heading', { level: 1 }).innerText()
  const seen: string[] = []
  for (let n = 0; n < REVIEWS; n++) {
    await until('the next chat is shown', async () => {
      const now = await title()
      return now.startsWith('About') && !seen.includes(now)
    })
    seen.push(await title())
    await until('the keyboard is at the first grade', () =>
      page.evaluate(() => document.activeElement?.closest('[data-type]') !== null),
    )
    await page.keyboard.press('3')
    if (n % 5 === 1) {
      // a grade that requires a reason moves the focus to the field of the reason
      await page.keyboard.press('1')
      await page.keyboard.type('Curt with the customer')
      await page.keyboard.press('Alt+ArrowDown')
    } else await page.keyboard.press('2')
    await page.keyboard.press('3')
    await page.getByText('Draft saved').waitFor()
    // the next review is laid out and hidden
    await expect.poll(() => page.locator('h1').count()).toBe(n < REVIEWS - 1 ? 2 : 1)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await page.keyboard.press('Control+Enter')
  }
  await page.waitForURL('**/qc/chats/queue')
  expect(new Set(seen).size).toBe(REVIEWS)
  const { items } = await innkeeper.must('GET', '/chat-controller-v2/chats/archive?itemsPerPage=100&status=reviewed')
  expect(items).toHaveLength(REVIEWS)
  const scores = items.map(({ score }: { score: number }) => Math.round(score * 10) / 10)
  const poor = seen.filter((_, n) => n % 5 === 1).length
  expect(scores.filter((score: number) => score === 66.7)).toHaveLength(poor)
  expect(scores.filter((score: number) => score === 83.3)).toHaveLength(REVIEWS - poor)
  const reviewed = await innkeeper.must('GET', `/chat-controller-v2/chats/${items[0].id}`)
  expect(reviewed.reviews[0].agent.name).toBe('Some mari')
  expect(complained).toEqual([])
})

test('a chat is free again when its reviewer leaves by a link or closes the last tab', async () => {
  const { id } = (await innkeeper.must('GET', '/chat-controller-v2/chats/archive?status=reviewed')).items[0]
  const { reviews } = await innkeeper.must('GET', `/chat-controller-v2/chats/${id}`)
  await innkeeper.must('DELETE', `/chat-controller-v2/reviews/${reviews[0].id}`)
  const chat = () => innkeeper.must('GET', `/chat-controller-v2/chats/${id}`)
  const isHeld = async () => (await chat()).holder !== null
  const leave = [
    () => page.locator('a[href="/qc/chats/queue"]').first().click(),
    () => page.close({ runBeforeUnload: true }),
  ]
  for (const go of leave) {
    await page.goto('/qc/chats/review')
    await until('the chat has a lease', isHeld)
    await go()
    await until('the chat is free', async () => !(await isHeld()))
  }
  // each lease raises the version
  const takenSince = async (version: number) => {
    const now = await chat()
    return now.holder !== null && now.version > version
  }
  page = await context.newPage()
  await page.goto('/qc/chats/review')
  await until('the chat has a lease', isHeld)
  const other = await context.newPage()
  const { version } = await chat()
  await other.goto(page.url())
  await until('the other tab has renewed the lease', () => takenSince(version))
  const last = (await chat()).version
  await other.close({ runBeforeUnload: true })
  await until('the first tab has taken the lease again', () => takenSince(last))
  expect(complained).toEqual([])
})

test('a submitted review is changed, and its difference stays visible', async () => {
  const { items } = await innkeeper.must('GET', '/chat-controller-v2/chats/archive?status=reviewed')
  await page.goto(`/qc/chats/${items[0].id}`)
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Nothing differs.').waitFor()
  await dialog.locator('[data-type]').last().locator('input').first().focus()
  await page.keyboard.press('2')
  await dialog.getByText('Language:').waitFor()
  await dialog.getByRole('button', { name: 'Change review' }).click()
  await page.getByRole('button', { name: 'Changed once' }).click()
  await page.getByRole('dialog').getByText('Language: Good 100 → Fair 50').waitFor()
  expect(complained).toEqual([])
})

test('when two people change a bug, the second sees both versions and decides', async () => {
  const bug = await innkeeper.must('POST', '/bug-report/bugs', { title: 'Menu closes', description: 'At once' })
  await page.goto(`/internal-tickets/bugs/${bug.id}`)
  await settled(page)
  await page.getByRole('button', { name: 'Edit' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Menu closes too early')
  await innkeeper.must('PATCH', `/bug-report/bugs/${bug.id}`, { title: 'Menu closes by itself', version: bug.version })
  await dialog.getByRole('button', { name: 'Save texts' }).click()
  await dialog.getByText('Menu closes by itself').waitFor()
  await dialog.getByRole('button', { name: /keep/i }).click()
  await dialog.getByRole('button', { name: 'Save texts' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await innkeeper.must('GET', `/bug-report/bugs/${bug.id}`)).title).toBe('Menu closes too early')
})

test('a comment is edited in place, and the history keeps the former text', async () => {
  const bug = await innkeeper.must('POST', '/bug-report/bugs', { title: 'Clock is late' })
  await innkeeper.must('POST', `/bug-report/bugs/${bug.id}/comment`, { body: 'By one hour' })
  await page.goto(`/internal-tickets/bugs/${bug.id}`)
  const send = page.getByRole('button', { name: /^Comment/ })
  await send.waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(
    await send.evaluate((one) => [...one.querySelectorAll('*')].some((it) => it.scrollWidth > it.clientWidth + 1)),
  ).toBe(false)
  await page.setViewportSize({ width: 1280, height: 900 })
  const comment = page.getByRole('article', { name: /comment by/ })
  await comment.getByRole('button', { name: 'Change' }).click()
  await comment.getByLabel('Your comment').fill('By two hours')
  await comment.getByRole('button', { name: 'Save' }).click()
  await comment.getByRole('button', { name: 'Change' }).waitFor()
  await comment.getByText('By two hours').waitFor()
  const { items } = await innkeeper.must('GET', `/bug-report/bugs/${bug.id}/history`)
  expect(items).toContainEqual(
    expect.objectContaining({ field: 'comment', before: 'By one hour', after: 'By two hours' }),
  )
  expect(complained).toEqual([])
})

test('a card is moved across the board by keyboard alone and keeps the focus', async () => {
  const bug = await innkeeper.must('POST', '/bug-report/bugs', { title: 'Cursor jumps' })
  await page.goto('/internal-tickets/bugs/board?search=Cursor')
  const card = page.locator(`[data-card="${bug.id}"]`)
  await card.waitFor()
  for (let n = 0; n < 100 && !(await card.evaluate((one) => one === document.activeElement)); n++)
    await page.keyboard.press('Tab')
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  const status = async () => (await innkeeper.must('GET', `/bug-report/bugs/${bug.id}`)).status.name
  await until('the bug is triaged', async () => (await status()) === 'Triaged')
  await settled(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/internal-tickets/bugs/${bug.id}`)
  expect(complained).toEqual([])
})

test('assignees of internal tickets are refreshed', async () => {
  await page.goto('/internal-tickets/tickets/settings')
  await page.getByRole('button', { name: 'Refresh assignees' }).click()
  await page.getByRole('region', { name: 'Assignees' }).getByText('First Administrator').waitFor()
  expect(complained).toEqual([])
})

test('the upload of a large file to a bug continues after the connection broke', async () => {
  const bug = await innkeeper.must('POST', '/bug-report/bugs', { title: 'Log is cut' })
  await page.goto(`/internal-tickets/bugs/${bug.id}`)
  let broken = 0
  // the first request for this part fails
  await page.route(/\/internal-file-manager\/uploads\/\d+/, (route) => {
    broken += 1
    return broken === 1 ? route.abort('connectionreset') : route.continue()
  })
  const chooser = page.waitForEvent('filechooser')
  // the comment field has a button of the same name
  const section = page.getByRole('region', { name: 'Files' })
  await section.getByRole('button', { name: 'Attach' }).click()
  const buffer = Buffer.alloc(6 * 2 ** 20, 'a line of the log\n')
  await (await chooser).setFiles({ name: 'server.txt', mimeType: 'text/plain', buffer })
  await page.getByRole('button', { name: 'server.txt', exact: true }).waitFor()
  expect(broken).toBeGreaterThan(1)
  const { files } = await innkeeper.must('GET', `/bug-report/bugs/${bug.id}`)
  expect(files).toMatchObject([{ name: 'server.txt', size: buffer.length }])
})

test('a dispute is withdrawn, opened again and accepted, and its agent reads the answer after the review was moved', async () => {
  const must = innkeeper.must.bind(innkeeper)
  const grade = async (name: string, value: number) => (await must('POST', `${v2}/score/grades`, { name, value })).id
  const gradeIds = [await grade('Meagre', 40), await grade('Splendid', 90)]
  const { id: scoreTypeId } = await must('POST', `${v2}/score/types`, { name: 'Manners', weight: 10, gradeIds })
  const source = await must('POST', `${v2}/sources`, { name: 'Disputes' })
  const chat = imported('chat', 'disputed', 'mari')
  const author = { id: 'ole', name: 'Ole', role: 'agent' }
  chat.messages.push({ id: 'disputed-3', at: '2026-11-20T10:05:00Z', author, text: 'I repaired it' })
  await must('POST', `${v2}/sources/${source.id}/file`, new Blob([JSON.stringify(chat)]))
  const { items } = await must('GET', '/auth/users?itemsPerPage=50')
  const idOf = (name: string): number => items.find(({ username }: { username: string }) => username === name).id
  for (const { id, identity } of (await must('GET', `${v2}/identities?itemsPerPage=50`)).items)
    if (['mari', 'ole'].includes(identity)) await must('PATCH', `${v2}/identities/${id}`, { userId: idOf(identity) })
  const found = await must('GET', '/chat-controller-v2/chats/archive?search=disputed')
  const types = (await must('GET', `${v2}/score/types`)).items as { id: number; gradeIds: number[] }[]
  const scores = types.map((type) => ({ scoreTypeId: type.id, gradeId: type.gradeIds[0]!, comment: 'Short' }))
  const body = { chatId: found.items[0].id, agents: [idOf('mari')], data: { scores } }
  const { reviews } = await must('POST', '/chat-controller-v2/reviews', body)

  const agent = await person(browser, innkeeper, { token: await innkeeper.signIn('mari') })
  const own = await agent.newPage()
  const agentComplained = complaints(own)
  await own.goto(`/qc-v2/mine/review?review=${reviews[0].id}`)
  const dispute = async (words: string) => {
    await own.getByLabel('What you think of the review').fill(words)
    await own.getByLabel('Dispute: ask for a change of the review').check()
    await own.getByRole('combobox', { name: 'It was somebody else' }).click()
    await own.getByRole('option', { name: 'Some ole' }).click()
    await own.getByRole('combobox', { name: 'Manners' }).click()
    await own.getByRole('option', { name: /Splendid/ }).click()
    await own.getByRole('button', { name: 'Dispute review' }).click()
    await own.getByText('Meagre → Splendid proposed').waitFor()
  }
  await dispute('Not me')
  await own.getByRole('button', { name: 'Withdraw…' }).click()
  await own.getByRole('button', { name: 'Withdraw dispute' }).click()
  await own.getByText('Withdrawn', { exact: true }).waitFor()
  await dispute('It was Ole')

  const [{ id }] = (await must('GET', '/chat-controller-v2/feedbacks?status=open')).items
  await page.goto(`/qc-v2/chat-feedbacks/${id}`)
  await page.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'Accepted', exact: true }).click()
  await page.getByRole('textbox', { name: 'Answer' }).fill('You are right')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await until(
    'the answer is stored',
    async () => (await must('GET', `/chat-controller-v2/feedbacks/${id}`)).status !== 'open',
  )
  await page.getByText('You are right').first().waitFor()
  expect(await page.getByRole('button', { name: 'Open again' }).count()).toBe(0)
  expect((await must('GET', `/chat-controller-v2/chats/${body.chatId}`)).reviews).toMatchObject([
    {
      agent: { id: idOf('ole') },
      scores: expect.arrayContaining([expect.objectContaining({ typeId: scoreTypeId, value: 90 })]),
    },
  ])
  await own.reload()
  await own.getByText('The review is no longer about you').waitFor()
  await own.getByText('You are right').waitFor()
  await agent.close()
  expect([...complained, ...agentComplained]).toEqual([])
})

test('the choices of a filter stay within the window, whatever words others have chosen as names', async () => {
  await innkeeper.must('POST', '/owners', { name: 'Kari Berg', email: 'kari@owner.example' })
  await plantMarkup(page)
  await page.goto('/databases')
  await settled(page)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Owner…' }).click()
  await page.getByRole('button', { name: /^Kari Berg/ }).waitFor()
  const { active, isShown } = await plantedIn(page)
  expect({ active, isShown }).toEqual({ active: [], isShown: true })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
