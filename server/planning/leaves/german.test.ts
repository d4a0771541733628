import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { profiles } from '../../access/profiles/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { addDays } from '../calendar/days.ts'
import { openStaffed, type Staffed, three } from './test/staffed.ts'

let { t, l, chief, approver, worker, works, monday, told } = {} as Staffed // opened below
beforeAll(async () => {
  ;({ t, l, chief, approver, worker, works, monday, told } = await openStaffed())
})
afterAll(() => t.close())

const inGerman = { headers: { 'accept-language': 'de-DE' } }
const ask = (token: string, path: string, body: object) =>
  t.call('POST', `/api/leave-calendar/${path}`, { token, body, ...inGerman })

it('refusals beside fields are in the language of the caller, and in English in the action log', async () => {
  const eva = await worker()
  await l.take(eva, monday(0), addDays(monday(0), 1))
  const clash = await ask(eva.token, 'requests', { typeId: 1, startDate: monday(0), endDate: monday(0) })
  expect([clash.status, clash.body.fields.startDate]).toEqual([
    409,
    expect.stringMatching(/^Bezahlter Urlaub .* ist bereits beantragt$/),
  ])
  const backwards = await ask(eva.token, 'requests', { typeId: 1, startDate: monday(2), endDate: monday(1) })
  expect(backwards.body.fields).toEqual({ endDate: 'Das Ende liegt vor dem Anfang' })
  const { body: preview } = await ask(eva.token, 'requests/preview', {
    ...{ typeId: 1, startDate: addDays(monday(3), 5), endDate: addDays(monday(3), 6) },
  })
  expect(preview.problems.startDate).toBe('Nichts zu nehmen: das sind alles Feiertage und Wochenenden')
  const own = await t.call('PATCH', `/api/leave-calendar/requests/review/${clash.body.current.id}`, {
    ...{ token: eva.token, body: { isApproved: true }, headers: { 'accept-language': 'nb' } },
  })
  expect(own.body.message).not.toMatch(/Urlaub/)
  const late = { requestId: clash.body.current.id }
  await ask(eva.token, 'cancellations', late)
  expect((await ask(eva.token, 'cancellations', late)).body.fields).toEqual({ requestId: 'Nichts zu stornieren' })
  const logged = await rows<{ text: string }>(
    t.app.db,
    sql`select coalesce(after::text, '') as text from action_logs where staff_id = ${eva.id} and result = 'failed' order by 1`,
  )
  expect(logged.map(({ text }) => text).join()).toMatch(/there is nothing to cancel/)
  expect(logged.map(({ text }) => text).join()).not.toMatch(/stornieren|Urlaub/)
})

it('each person is notified in their own language, and the ledger stays English', async () => {
  const [hans, kari] = [await worker(), await worker()]
  await t.app.db.insert(profiles).values({ id: hans.id, language: 'de' })
  await t.app.db.insert(profiles).values({ id: approver.id, language: 'de' })
  for (const who of [hans, kari]) {
    const { body } = await l.take(who, monday(5), addDays(monday(5), 4))
    await l.review(approver, body.id)
    await works(who, monday(5), three)
  }
  const titles = async (who: typeof hans) => (await told(who)).map(({ title }) => title)
  expect(await titles(hans)).toEqual([
    'Ihr Urlaub kostet 3 Tage statt 5 Tage',
    expect.stringMatching(/ hat Ihren Urlaub genehmigt$/),
  ])
  expect(await titles(kari)).toEqual([
    'Your leave takes 3 days instead of 5 days',
    expect.stringMatching(/ approved your leave$/),
  ])
  expect((await told(hans))[0]?.body).toMatch(/^\d.* \d{4}\. Arbeitstage ab .*\. Von .*\.$/)
  expect(await titles(approver)).toContainEqual(expect.stringMatching(/ beantragt Urlaub$/))
  const { body } = await l.ask(chief, 'GET', `employee/${hans.id}?year=${monday(5).slice(0, 4)}`)
  expect(body.ledger.map(({ note }: { note: string | null }) => note).join()).toMatch(/Working days from/)
  const { early } = t.types
  await t.api('POST', '', { userId: hans.id, date: monday(8), shiftTypeId: early }, chief.token)
  expect((await told(hans))[0]?.title).toMatch(/^Ihre Schicht: Early 06:00–14:00 am Mo/)
})
