import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profiles } from '../../../access/profiles/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { decides, leavesOf, type Person, takes } from '../test/leaves.ts'

let t: TestApp
let l: ReturnType<typeof leavesOf>
let kari: Person
let chief: Person
let colleague: Person
let stranger: Person
let keeper: Person
const SICK = 3
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  kari = await t.somebody(takes, 'kari')
  chief = await t.somebody(['calendar:leave:read', ...decides], 'chief')
  colleague = await t.somebody(['calendar:leave:read'], 'colleague')
  stranger = await t.somebody(['calendar:leave:read', ...decides], 'stranger')
  keeper = await t.somebody(['calendar:leave:read', 'calendar:employee:read'], 'keeper')
  const admin = await t.somebody('admin', 'boss')
  const departmentId = await l.department('Support', kari, colleague)
  await l.ask(admin, 'POST', 'approvers', { departmentId, approvers: [{ userId: chief.id }] })
})
afterAll(() => t.close())

describe('the kind of a leave', () => {
  it('is visible to the person, approvers and managers of balances; others see only an absence', async () => {
    const { body } = await l.take(kari, '2027-02-01', '2027-02-02', { typeId: SICK })
    expect(body).toMatchObject({ typeCode: 'sick' })
    const kindFor = async (who: Person) => {
      const one = (await l.ask(who, 'GET', `requests/${body.id}`)).body
      const many = (await l.ask(who, 'GET', 'requests?date=2027-02')).body.items[0]
      const some = (await l.ask(who, 'POST', 'requests/users', { usersIds: [kari.id] })).body.items[0]
      return [one, many, some].map(({ typeId, typeCode, typeName }) => [typeId, typeCode, typeName].join())
    }
    const sick = [`${SICK},sick,Sick leave`]
    expect(new Set(await kindFor(chief))).toEqual(new Set(sick))
    expect(new Set(await kindFor(keeper))).toEqual(new Set(sick))
    for (const who of [colleague, stranger]) expect(new Set(await kindFor(who))).toEqual(new Set([',,Away']))
  })
  it('is not revealed by a filter either', async () => {
    const found = async (who: Person) => (await l.ask(who, 'GET', `requests?typeId=${SICK}`)).body.total
    const everybody = [chief, keeper, colleague, stranger]
    expect(await Promise.all(everybody.map(found))).toEqual([1, 1, 0, 0])
    expect((await l.ask(colleague, 'GET', 'requests')).body.total).toBe(1)
  })
})

describe('a balance', () => {
  it.each([
    ['2019-05-06', 'The balance of 2019 is closed', 2019],
    ['2099-05-06', 'The balance of 2099 opens on 1 January 2098', 2099],
  ])('of a year that is not open refuses a leave on %s', async (date, said, year) => {
    const { status, body } = await l.take(kari, date)
    expect([status, body.fields]).toEqual([422, { startDate: said }])
    expect(await l.balance(kari, year)).toMatchObject({ granted: 0, balance: 0 })
  })
  it('of the first year counts the remaining months, from the date in the profile or else of the account', async () => {
    const year = new Date().getUTCFullYear()
    const ola = await t.somebody(takes, 'ola') // no earlier leave has stored a grant of this year
    const granted = async () => (await l.balance(ola, year)).granted
    await t.app.db
      .update(users)
      .set({ createdAt: `${year}-11-02` })
      .where(eq(users.id, ola.id))
    expect([await granted(), (await l.balance(ola, year - 1)).granted]).toEqual([4.5, 0])
    await t.app.db
      .insert(profiles)
      .values({ id: ola.id, hiredAt: '2020-01-01' })
      .onConflictDoUpdate({ target: profiles.id, set: { hiredAt: '2020-01-01' } })
    expect(await granted()).toBe(25)
  })
})
