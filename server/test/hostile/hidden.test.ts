import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { users } from '../../access/users/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { begin, steps } from '../work.ts'
import { type Departments, openDepartments } from './departments.ts'

/** Figures that a screen hides have no second way: a weaker call, an error, a search, or the action log. */
let d: Departments
beforeAll(async () => {
  d = await openDepartments()
})
afterAll(() => d.t.close())

it('an offered swap tells no wish, draft or shift of a colleague that the roster hides', async () => {
  const type = await d.made('/calendar/shifts/type', { name: 'Swapped', startTime: '08:00', endTime: '16:00' })
  const [caller, colleague] = [await d.of(d.board), await d.of(d.board)]
  const plan = async (userId: number, date: string, more = {}) =>
    (await d.made('/calendar/shifts', { userId, shiftTypeId: type.id, date, ...more })).id
  const quiet = await plan(caller.id, '2031-04-08')
  const busy = await plan(caller.id, '2031-04-09')
  const draft = await plan(colleague.id, '2031-04-09', { status: 'draft' })
  const wish = { kind: 'cannot', from: '2031-04-08', to: '2031-04-08', note: 'Surgery' }
  await d.made('/calendar/shifts/wishes', wish, colleague.token)
  const offer = (shiftId: number, otherShiftId: number | null = null) =>
    d.call(caller.token, 'POST', '/calendar/shifts/swaps', {
      ...{ shiftId, userId: colleague.id, otherShiftId, stopAtWarnings: true },
    })
  const { status, body } = await offer(busy)
  expect([status, body.message]).toEqual([409, expect.stringMatching(/ is not free on 9 Apr$/)])
  expect(body.current.conflicts).toMatchObject([{ shiftId: null, version: null }])
  expect((await offer(quiet, draft)).status).toBe(404)
  expect((await offer(quiet)).status, 'the colleague answers, and so judges the own wish').toBe(201)
})
it('notes of shifts are shown on the roster as in their list', async () => {
  const guest = await d.of(d.board)
  const type = await d.made('/calendar/shifts/type', { name: 'Guest', startTime: '08:00', endTime: '16:00' })
  const { id } = await d.made('/calendar/shifts', { userId: guest.id, shiftTypeId: type.id, date: '2031-05-05' })
  await d.t.app.db.execute(sql`update shifts set department_id = ${d.support} where shift_id = ${id}`)
  await d.made('/calendar/shifts/note', { userId: guest.id, date: '2031-05-05', content: 'Is ill' })
  const { token } = await d.of(d.support, 'calendar:shift:read', 'calendar:shift-note:read')
  const roster = (await d.call(token, 'GET', '/calendar/shifts/roster?from=2031-05-05&to=2031-05-05')).body
  expect([roster.shifts.map((one: { id: number }) => one.id), roster.notes]).toEqual([[id], []])
})
it('who attended is not told by the list of those who were invited', async () => {
  const times = { startsAt: '2031-03-04T09:00', endsAt: '2031-03-04T10:00' }
  const guest = await d.of(d.support)
  const { id } = await d.made('/event-calendar/event', { title: 'Course', ...times })
  await d.made(`/event-calendar/event/${id}/attendant`, { userId: guest.id })
  await d.made(`/event-calendar/event/${id}/attendance`, { userId: guest.id, attendance: 'absent' })
  const seen = async (...scopes: string[]) => {
    const { token } = await d.of(d.support, 'calendar:attendant:read', ...scopes)
    const [row] = (await d.call(token, 'GET', `/event-calendar/event/${id}/attendant`)).body.items
    return [row.attendance, row.attendanceId === null]
  }
  expect(await seen()).toEqual(['unknown', true])
  expect(await seen('calendar:attendance:read')).toEqual(['absent', false])
})
it('quiet hours and chosen deliveries are shown to their owner only', async () => {
  const owner = await d.of(d.board)
  const quietHours = { from: '22:00', to: '07:00' }
  const config = { quietHours, deliveries: { leave: 'off' } }
  const path = '/employee-controller/profile'
  expect((await d.call(owner.token, 'PATCH', `${path}/${owner.id}/config`, config)).status).toBe(200)
  const seen = async (token: string) => (await d.call(token, 'GET', `${path}/user/${owner.id}`)).body.profileConfig
  expect(await seen(d.admin)).toMatchObject({ quietHours: null, deliveries: {} })
  expect(await seen(owner.token)).toMatchObject(config)
})
it('a number that opted out is not told if it is the number of a colleague', async () => {
  const gateway = { gateway: 'http', url: 'http://127.0.0.1:9', secret: 'secret' }
  await d.call(d.admin, 'PATCH', '/sms/settings', gateway)
  const colleague = await d.of(d.board)
  const personalDetails = { phone: '+47 99 11 22 33' }
  await d.call(colleague.token, 'PATCH', `/employee-controller/profile/user/${colleague.id}`, { personalDetails })
  await d.made('/sms/messages', { users: [colleague.id], body: 'Hello' })
  await d.made('/sms/opt-outs', { number: '+4799112233' })
  const seen = async (search: string, ...scopes: string[]) => {
    const { token } = await d.of(d.support, 'sms:message:read', ...scopes)
    const { items } = (await d.call(token, 'GET', `/sms/opt-outs?search=${search}`)).body
    return items.map((one: { number: string }) => one.number)
  }
  expect(await seen('')).toEqual(['········233'])
  expect(await seen('991122')).toEqual([])
  expect(await seen('991122', 'employee:profile:read')).toEqual(['+4799112233'])
})
it('a file that is shared from a private folder does not name the folder', async () => {
  const base = '/internal-file-manager'
  const owner = await d.of(d.board, 'file-manager:folder:create', 'file-manager:file:browse')
  const folder = await d.made(`${base}/folders`, { name: 'Dismissals', private: true }, owner.token)
  const reader = await d.of(d.support, 'file-manager:file:browse')
  const [file] = await rows<{ id: number }>(
    d.t.app.db,
    sql`insert into files (name, path, size, type, kind, sha256, folder_id, owner_id, is_private)
      values ('letter.pdf', 'hidden-letter', 1, 'application/pdf', 'pdf', repeat('0', 64), ${folder.id}, ${owner.id}, false) returning file_id as id`,
  )
  await d.made(`${base}/access`, { fileId: file?.id, accessType: 'user', grantAccessTo: reader.id })
  const place = async ({ token }: { token: string }) => {
    const { items } = (await d.call(token, 'GET', `${base}/files?search=letter`)).body
    const openers = await d.call(token, 'GET', `${base}/files/${file?.id}/access`)
    return [items[0].folder.name, JSON.stringify(openers.body).includes('Dismissals')]
  }
  expect(await place(reader)).toEqual(['Private folder', false])
  expect((await place(owner))[0]).toBe('Dismissals')
})

it('what a person may is not told by the preview of a role, nor who holds it by its deletion', async () => {
  const { id: role } = await d.made('/auth/roles', { name: 'Hidden', scopes: ['server:server:read'] })
  const holder = await d.of(d.support)
  await d.t.app.db.update(users).set({ roleId: role }).where(eq(users.id, holder.id))
  const preview = async (...scopes: string[]) =>
    (
      await d.call((await d.of(d.support, 'users:role:read', ...scopes)).token, 'POST', '/auth/roles/users/preview', {
        ...{ users: [holder.id], role: null },
      })
    ).status
  expect([await preview(), await preview('users:user:read')]).toEqual([403, 200])
  const name = (await d.call(d.admin, 'GET', `/auth/users/${holder.id}`)).body.name
  const refusal = async (...scopes: string[]) => {
    const { token } = await d.of(d.support, 'users:role:delete', 'server:server:read', ...scopes)
    const { status, body } = await d.call(token, 'DELETE', '/auth/roles', { id: role })
    return [status, body.message.includes(name)]
  }
  expect([await refusal(), await refusal('users:user:read')]).toEqual([
    [409, false],
    [409, true],
  ])
})
it('too few days of leave are refused without their number to whoever may not see balances', async () => {
  const person = await d.of(d.board)
  const { body } = await d.call(d.admin, 'GET', '/leave-calendar/types')
  const type = body.items.find((one: { deductsBalance: boolean }) => one.deductsBalance)
  const adjustments = [{ typeId: type.id, year: 2031, days: -99, note: 'Less' }]
  const refusal = async (...scopes: string[]) => {
    const { token } = await d.of(d.support, 'calendar:employee:update', ...scopes)
    const answer = await d.call(token, 'PATCH', `/leave-calendar/employee/${person.id}`, { adjustments })
    return [answer.status, answer.body.message]
  }
  expect(await refusal()).toEqual([422, 'Too few days left in 2031: no more can be taken'])
  expect(await refusal('calendar:employee:read')).toEqual([422, expect.stringMatching(/days? left in 2031/)])
})
it('a link does not name a workflow that its list hides', async () => {
  const at = '/bug-report/bugs'
  const subject = { type: 'server', id: 7, name: 'hidden-host' }
  const workflow = await begin(d.t.app.db, { subject, plan: steps(1) })
  const bug = await d.made(at, { title: 'Linked' })
  const link = (token: string) =>
    d.call(token, 'POST', `${at}/${bug.id}/links`, { kind: 'workflow', targetId: workflow })
  const scopes = ['bug-report:bug:read', 'bug-report:bug:update', 'website:website:read']
  const [blind, reader] = [await d.of(d.support, ...scopes), await d.of(d.support, ...scopes, 'server:server:read')]
  expect((await link(blind.token)).status).toBe(422)
  expect((await link(reader.token)).status).toBeLessThan(300)
  const label = async ({ token }: { token: string }) =>
    (await d.call(token, 'GET', `${at}/${bug.id}`)).body.links[0].label
  expect([await label(blind), await label(reader)]).toEqual([null, expect.stringContaining('hidden-host')])
})
it('the action log keeps no personal fields, scores, wishes or texts of messages', async () => {
  const person = await d.of(d.board)
  const auditor = await d.of(d.board, 'scrums:audit:create', 'scrums:component:create')
  const component = await d.made('/dev-scrum/components', { name: 'Focus', weight: 1 })
  const audit = {
    name: 'Sprint',
    userId: person.id,
    summary: 'Sloppy',
    periodStart: '2026-01-01',
    periodEnd: '2026-01-14',
  }
  await d.made(
    '/dev-scrum/audits',
    { ...audit, status: 'submitted', items: [{ componentId: component.id, score: 1, comment: 'Sloppy' }] },
    auditor.token,
  )
  const notices = '/employee-controller/notifications'
  const [notice] = (await d.call(person.token, 'GET', notices)).body.items
  expect(notice.title).toContain('submitted your audit')
  expect((await d.call(person.token, 'PATCH', `${notices}/${notice._id}`, { read: true })).status).toBe(200)
  const personalDetails = { phone: '+47 99 00 11 22', birthDate: '1971-02-03' }
  await d.call(person.token, 'PATCH', `/employee-controller/profile/user/${person.id}`, { personalDetails })
  await d.call(d.admin, 'PATCH', `/auth/users/${person.id}`, { email: 'sloppy@example.org' })
  await d.made('/calendar/shifts/note', { userId: person.id, date: '2031-06-02', content: 'Sloppy' })
  const wish = { kind: 'cannot', from: '2031-06-03', to: '2031-06-03', note: 'Sloppy' }
  await d.made('/calendar/shifts/wishes', wish, person.token)
  const type = await d.made('/calendar/shifts/type', { name: 'Logged', startTime: '08:00', endTime: '16:00' })
  const shift = { userId: person.id, shiftTypeId: type.id, date: '2031-06-03', stopAtWarnings: true }
  expect((await d.call(d.admin, 'POST', '/calendar/shifts', shift)).body.message).toContain('Sloppy')
  await d.call(d.admin, 'PATCH', '/sms/settings', { gateway: 'http', url: 'http://127.0.0.1:9', secret: 'secret' })
  await d.made('/sms/messages', { to: '+4799001122', body: 'Sloppy' })
  const { items } = (await d.call(d.admin, 'GET', '/logs?itemsPerPage=200')).body
  expect(JSON.stringify(items)).not.toMatch(/sloppy|submitted your|\+47 ?99 ?00|1971-02-03|"score"/i)
  const changedEmail = { service: 'users', after: { email: '(hidden)' } }
  expect(items).toContainEqual(expect.objectContaining(changedEmail))
})
