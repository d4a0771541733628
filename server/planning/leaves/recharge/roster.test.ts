import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../../calendar/days.ts'
import { openStaffed, type Staffed, three } from '../test/staffed.ts'

let { t, l, chief, approver, worker, works, told, monday } = {} as Staffed // opened below
beforeAll(async () => {
  ;({ t, l, chief, approver, worker, works, told, monday } = await openStaffed())
})
afterAll(() => t.close())

describe('a changed roster', () => {
  it('shows the leaves by shifts that it charges anew, and charges them with the plan', async () => {
    await l.ask(chief, 'PATCH', 'types/7', { charge: 'shifts', deductsBalance: false })
    const lou = await worker()
    const planner = await t.somebody(['calendar:shift:create'])
    const { body: leave } = await l.take(lou, monday(11), addDays(monday(11), 1), { typeId: 7 })
    await l.review(approver, leave.id)
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(2)
    const cells = [{ userId: lou.id, date: addDays(monday(11), 3), shiftTypeId: t.types.early }]
    const preview = await t.api('POST', '/preview', { cells, status: 'published' }, chief.token)
    // the week has a shift then, so that only shifts on the days of the leave are charged
    expect(preview.body.leaves).toMatchObject([{ id: leave.id, daysBefore: 2, days: 0 }])
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(2)
    expect((await t.api('POST', '/plan', { cells, status: 'published' }, chief.token)).body.leaves).toHaveLength(1)
    expect((await l.ask(chief, 'GET', `requests/${leave.id}`)).body.days).toBe(0)
    expect((await told(lou)).map(({ title }) => title)).toContain('Your leave takes 0 days instead of 2 days')
    for (const one of [approver, planner]) expect((await told(one))[0]?.title).toBe('A leave takes other days')
  })
})

describe('every way to change a roster', () => {
  const costs = async (id: number) => (await l.ask(chief, 'GET', `requests/${id}`)).body.days
  const held = async (week: number, typeId: number) => {
    const who = await worker()
    const { body } = await l.take(who, monday(week), addDays(monday(week), 1), { typeId })
    await l.review(approver, body.id)
    return { who, id: body.id as number, thursday: addDays(monday(week), 3) }
  }
  const plan = (body: object) => t.api('POST', '', { shiftTypeId: t.types.early, ...body }, chief.token)

  it('charges leaves anew: publish, undo, update, take, remove, automation', async () => {
    await l.ask(chief, 'PATCH', 'types/7', { charge: 'shifts', deductsBalance: false })
    const { who, id, thursday } = await held(15, 7)
    const [other] = t.people
    const days: unknown[] = [await costs(id)]
    const then = async (what: Promise<{ status: number }>) => {
      const { status } = await what
      days.push(status < 300 ? await costs(id) : status)
    }
    const { body: shift } = await plan({ userId: who.id, date: thursday, status: 'draft' })
    const published = await t.api('POST', '/publish', { from: thursday, to: thursday }, chief.token)
    days.push(await costs(id))
    await then(t.api('POST', `/batches/${published.body.batchId}/undo`, {}, chief.token))
    await then(t.api('PATCH', `/${shift.id}`, { status: 'published' }, chief.token))
    const asked = await t.api('PATCH', `/${shift.id}`, { userId: other, stopAtWarnings: true }, chief.token)
    expect([asked.status, asked.body.message]).toEqual([409, expect.stringContaining('takes 2 days instead of 0 days')])
    await then(t.api('PATCH', `/${shift.id}`, { userId: other }, chief.token))
    const { body: open } = await plan({ userId: null, date: addDays(thursday, 1), departmentId: t.departmentId })
    await then(t.api('POST', `/${open.id}/take`, {}, who.token))
    await then(t.api('DELETE', '', { id: open.id }, chief.token))
    const pattern = [null, null, null, t.types.early, null, null, null]
    const wanted = {
      ...{ name: 'Thursdays', userId: who.id, pattern, startDate: monday(15), endDate: thursday },
      ...{ status: 'published', weeksAhead: 1 },
    }
    const { body: automation } = await t.api('POST', '/automations', wanted, chief.token)
    const span = { from: monday(15), to: thursday }
    const foreseen = await t.api('POST', `/automations/id/${automation.id}/preview`, span, chief.token)
    expect(foreseen.body.leaves).toMatchObject([{ id, daysBefore: 2, days: 0 }])
    await then(t.api('POST', `/automations/id/${automation.id}/run`, span, chief.token))
    await then(t.api('DELETE', '/automations', { id: automation.id }, chief.token))
    expect(days).toEqual([2, 0, 2, 0, 2, 0, 2, 0, 2])
  })
  it('shows the leaves before and refuses other ones: publish, undo, kind, settings, automation, removal of a shift', async () => {
    await l.ask(chief, 'PATCH', 'types/7', { charge: 'hours', deductsBalance: false })
    const { who, id, thursday } = await held(23, 7)
    const [friday, sunday] = [addDays(thursday, 1), addDays(thursday, 3)]
    const { body: kind } = await t.api(
      'POST',
      '/type',
      { name: 'Seen', startTime: '08:00', endTime: '16:00' },
      chief.token,
    )
    await plan({ userId: who.id, date: thursday, status: 'draft' })
    const span = { from: thursday, to: thursday }
    const { body: settings } = await t.api('GET', '/settings', undefined, chief.token)
    /** Previews, is refused with a list that lacks the leave, and acts with the list that was shown. */
    const seen = async (
      method: 'POST' | 'PATCH' | 'DELETE',
      act: string,
      preview: string,
      body: object,
      extra: object = {},
    ) => {
      const before = await costs(id)
      const shown = await t.api('POST', preview, method === 'DELETE' ? undefined : body, chief.token)
      expect([shown.status, shown.body.ids, await costs(id)]).toEqual([200, [id], before])
      expect(shown.body.items[0]).toMatchObject({ userId: who.id, daysBefore: before })
      const sent = { ...body, ...extra }
      expect((await t.api(method, act, { ...sent, leaves: [] }, chief.token)).status).toBe(409)
      const done = await t.api(method, act, { ...sent, leaves: shown.body.ids }, chief.token)
      expect([done.status < 300, await costs(id)]).toEqual([true, shown.body.items[0].days])
      return done.body
    }
    const { batchId } = await seen('POST', '/publish', '/publish/leaves', span)
    await seen('POST', `/batches/${batchId}/undo`, `/batches/${batchId}/undo/leaves`, {})
    const pattern = [null, null, null, kind.id, null, null, null]
    const wanted = {
      name: 'Seen',
      userId: who.id,
      pattern,
      startDate: monday(23),
      endDate: friday,
      weeksAhead: 104,
      onLeave: 'work',
    }
    await t.api('DELETE', '', { userId: who.id, date: thursday }, chief.token)
    const made = await seen('POST', '/automations', '/automations/leaves', { ...wanted, status: 'published' })
    const at = `/automations/id/${made.id}`
    await seen('PATCH', '/automations', `${at}/leaves`, { pattern: [kind.id, ...pattern.slice(1)] }, { id: made.id })
    await seen('PATCH', `/type/${kind.id}`, `/type/${kind.id}/leaves`, { endTime: '20:00' })
    await seen('PATCH', '/settings', '/settings/leaves', { dayNormMinutes: 720 })
    await t.api('PATCH', '/settings', { dayNormMinutes: settings.dayNormMinutes }, chief.token)
    const run = await t.api('POST', `${at}/preview`, span, (await t.somebody(['calendar:shift-automation:read'])).token)
    expect([run.status, run.body.leaves]).toEqual([404, undefined])
    await seen('DELETE', '/automations', `${at}/removal/leaves`, {}, { id: made.id })
    const { body: last } = await plan({ userId: who.id, date: sunday })
    const stopped = await t.api('DELETE', '', { id: last.id, stopAtWarnings: true }, chief.token)
    expect([stopped.status, stopped.body.message]).toEqual([409, expect.stringContaining('has a leave of')])
    await l.ask(chief, 'PATCH', 'types/7', { charge: 'shifts', deductsBalance: false })
  })
  it('charges leaves by hours by the kind of shift, and by the hours of a working day', async () => {
    await l.ask(chief, 'PATCH', 'types/8', { charge: 'hours', deductsBalance: false })
    const { who, id } = await held(17, 8)
    const kind = { name: 'Long', startTime: '08:00', endTime: '16:00' }
    const { body: type } = await t.api('POST', '/type', kind, chief.token)
    await plan({ userId: who.id, date: addDays(monday(17), 5) })
    expect(await costs(id)).toBe(0)
    const { body: leave } = await l.take(who, addDays(monday(17), 9), addDays(monday(17), 9), { typeId: 8 })
    await plan({ userId: who.id, date: addDays(monday(17), 9), shiftTypeId: type.id })
    expect(await costs(leave.id)).toBe(1)
    await t.api('PATCH', `/type/${type.id}`, { endTime: '20:00' }, chief.token)
    expect(await costs(leave.id)).toBe(1.5)
    // the same after the approval, which takes the shift off the plan
    await l.review(approver, leave.id)
    const { body: longer } = await t.api('POST', `/type/${type.id}/leaves`, { endTime: '16:00' }, chief.token)
    expect(longer.ids).toEqual([leave.id])
    await t.api('PATCH', `/type/${type.id}`, { endTime: '16:00', leaves: longer.ids }, chief.token)
    expect(await costs(leave.id)).toBe(1)
    await t.api('PATCH', `/type/${type.id}`, { endTime: '20:00' }, chief.token)
    expect(await costs(leave.id)).toBe(1.5)
    const { body: settings } = await t.api('GET', '/settings', undefined, chief.token)
    await t.api('PATCH', '/settings', { dayNormMinutes: 720 }, chief.token)
    expect(await costs(leave.id)).toBe(1)
    await t.api('PATCH', '/settings', { dayNormMinutes: settings.dayNormMinutes }, chief.token)
  })
  it('counts a week whose shifts another leave has freed as planned, and a cut shift once', async () => {
    const { who, id } = await held(19, 7)
    await plan({ userId: who.id, date: addDays(monday(19), 2) })
    expect(await costs(id)).toBe(0)
    const { body: second } = await l.take(who, addDays(monday(19), 2), addDays(monday(19), 2), {
      ...{ typeId: 7, startPart: 'morning', endPart: 'morning' },
    })
    await l.review(approver, second.id)
    const { body: third } = await l.take(who, addDays(monday(19), 2), addDays(monday(19), 2), {
      ...{ typeId: 7, startPart: 'afternoon', endPart: 'afternoon' },
    })
    await l.review(approver, third.id)
    expect([await costs(id), await costs(second.id), await costs(third.id)]).toEqual([0, 0.5, 0.5])
  })
  it('shows weekly days off in the roster and beside a leave', async () => {
    const [gus, hal] = [await worker(), await worker()]
    await works(gus, monday(0), three)
    const friday = addDays(monday(21), 4)
    const roster = await t.api('GET', `/roster?from=${monday(21)}&to=${friday}`, undefined, chief.token)
    const off = roster.body.daysOff.filter(({ userId }: { userId: number }) => userId === gus.id)
    expect(off).toEqual([
      { userId: gus.id, date: addDays(friday, -1) },
      { userId: gus.id, date: friday },
    ])
    const { body: leave } = await l.take(hal, friday)
    const { body } = await l.ask(chief, 'GET', `requests/${leave.id}/coverage`)
    const away = body.days[0].away.find(({ userId }: { userId: number }) => userId === gus.id)
    expect(away).toMatchObject({ status: 'dayOff' })
  })
})
