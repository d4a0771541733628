import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../access/users/tables.ts'
import type { TestApp } from '../app.ts'
import { type Departments, openDepartments } from './departments.ts'
import { imported } from './world/quality.ts'

/** What people with a single permission do to, take from and learn about people of another department. */
let d: Departments
let t: TestApp
let admin: string
let [support, board] = [0, 0]
const call: Departments['call'] = (...request) => d.call(...request)
const made: Departments['made'] = (...request) => d.made(...request)
const of: Departments['of'] = (...person) => d.of(...person)
beforeAll(async () => {
  d = await openDepartments()
  ;({ t, admin, support, board } = d)
})
afterAll(() => t.close())

describe('of another department', () => {
  it('a note or a shift that the caller may not see is not deleted, and no conflict shows it', async () => {
    const worker = await of(board)
    const type = await made('/calendar/shifts/type', { name: 'Day', startTime: '08:00', endTime: '16:00' })
    const shift = { userId: worker.id, shiftTypeId: type.id, date: '2031-03-03' }
    const { id: shiftId } = await made('/calendar/shifts', shift)
    const { id: noteId } = await made('/calendar/shifts/note', {
      userId: worker.id,
      date: shift.date,
      content: 'Is ill',
    })
    const caller = await of(support, 'calendar:shift:delete', 'calendar:shift-note:delete')
    for (const body of [{ id: noteId }, { id: noteId, version: 99 }])
      expect((await call(caller.token, 'DELETE', '/calendar/shifts/note', body)).status).toBe(404)
    for (const body of [{ id: shiftId }, { id: shiftId, version: 99 }, { userId: worker.id, date: shift.date }])
      expect((await call(caller.token, 'DELETE', '/calendar/shifts', body)).status).toBe(404)
    const colleague = await of(board, 'calendar:shift:delete', 'calendar:shift-note:delete')
    expect((await call(colleague.token, 'DELETE', '/calendar/shifts/note', { id: noteId })).status).toBe(204)
    expect((await call(colleague.token, 'DELETE', '/calendar/shifts', { id: shiftId })).status).toBe(204)
  })
  it('a shift team is seen and deleted by planners and people who create teams only', async () => {
    const team = { departmentId: board, name: 'Night', date: '2031-03-03', memberIds: [(await of(board)).id] }
    const { id } = await made('/calendar/shifts/team', team)
    const scopes = ['calendar:shift-team:read', 'calendar:shift-team:delete']
    const seen = async ({ token }: { token: string }) =>
      (await call(token, 'GET', `/calendar/shifts/team?departmentId=${board}&date=2031-03-04`)).body.items.length
    const caller = await of(support, ...scopes)
    expect(await seen(caller)).toBe(0)
    expect(await seen(await of(support, ...scopes, 'calendar:shift:create'))).toBe(1)
    expect(await seen(await of(board, ...scopes))).toBe(1)
    expect((await call(caller.token, 'DELETE', '/calendar/shifts/team', { id })).status).toBe(404)
    const maker = await of(support, ...scopes, 'calendar:shift-team:create')
    expect((await call(maker.token, 'DELETE', '/calendar/shifts/team', { id })).status).toBe(204)
  })
  it('a shift automation is seen, changed and pointed there by planners and people who create automations only', async () => {
    const type = await made('/calendar/shifts/type', { name: 'Late', startTime: '14:00', endTime: '22:00' })
    const worker = await of(board)
    const plan = { name: 'Weeks', pattern: [type.id], startDate: '2031-03-03', isActive: false }
    const { id } = await made('/calendar/shifts/automations', { ...plan, userId: worker.id })
    const scopes = ['read', 'update', 'delete'].map((act) => `calendar:shift-automation:${act}`)
    const caller = await of(support, ...scopes)
    const path = '/calendar/shifts/automations'
    const seen = async ({ token }: { token: string }) => {
      const ids = (await call(token, 'GET', path)).body.items.map((one: { id: number }) => one.id)
      const own = (await call(token, 'GET', `${path}/user/${worker.id}`)).body.items
      return [ids.includes(id), own.length === 1, (await call(token, 'GET', `${path}/id/${id}`)).status]
    }
    expect(await seen(caller)).toEqual([false, false, 404])
    for (const one of [await of(board, ...scopes), await of(support, ...scopes, 'calendar:shift:create')])
      expect(await seen(one)).toEqual([true, true, 200])
    const preview = { from: '2031-03-03', to: '2031-03-04' }
    expect((await call(caller.token, 'POST', `${path}/id/${id}/preview`, preview)).status).toBe(404)
    expect((await call(caller.token, 'POST', `${path}/id/${id}/run`, {})).status).toBe(404)
    expect((await call(caller.token, 'PATCH', path, { id, name: 'Mine' })).status).toBe(404)
    expect((await call(caller.token, 'DELETE', path, { id })).status).toBe(404)
    const own = await made(path, { ...plan, departmentId: support })
    for (const target of [{ departmentId: board }, { departmentId: null, userId: worker.id }]) {
      const moved = await call(caller.token, 'PATCH', path, { id: own.id, ...target })
      expect([moved.status, Object.keys(moved.body.fields ?? {})]).toEqual([422, [Object.keys(target).at(-1)]])
    }
    expect((await call(caller.token, 'PATCH', path, { id: own.id, name: 'Ours' })).status).toBe(200)
  })
  it('an event can be created with an organiser there, and is seen by its author', async () => {
    const { token } = await of(support, 'calendar:event:create', 'calendar:event:read')
    const { id: organizerId } = await of(board)
    const times = { startsAt: '2031-03-03T09:00', endsAt: '2031-03-03T10:00' }
    const event = { title: 'Visit', departmentId: board, organizerId, ...times }
    const { id } = await made('/event-calendar/event', event, token)
    expect((await call(token, 'GET', `/event-calendar/event/${id}`)).status).toBe(200)
  })
  it('nobody becomes an approver by emptying a list', async () => {
    const scopes = ['calendar:default-approvers:create', 'calendar:leave:review']
    const caller = await of(support, ...scopes)
    const chief = await of(board, ...scopes)
    await of(board)
    const set = (token: string, departmentId: number | null, ...ids: number[]) =>
      call(token, 'POST', '/leave-calendar/approvers', { departmentId, approvers: ids.map((userId) => ({ userId })) })
    await set(admin, null, caller.id)
    await set(admin, board, chief.id)
    expect((await set(caller.token, board)).status, 'the default list decides instead').toBe(403)
    await set(admin, null, chief.id)
    expect((await set(caller.token, null)).status, 'everybody with the permission decides instead').toBe(403)
    expect((await set(caller.token, support, chief.id)).status).toBe(201)
    const fresh = await of(board, ...scopes)
    const letIn = { letInById: caller.id, letInAt: new Date().toISOString() }
    await t.app.db.update(users).set(letIn).where(eq(users.id, fresh.id))
    expect((await set(caller.token, support, fresh.id)).status, 'the caller could sign in as them').toBe(403)
    await set(admin, support, fresh.id)
    const told = (token: string) => call(token, 'GET', '/employee-controller/notifications')
    expect((await told(fresh.token)).status, 'the sign-in that somebody with less made has ended').toBe(401)
    const titles = (await told(chief.token)).body.items.map(({ title }: { title: string }) => title)
    expect(titles).toEqual(
      expect.arrayContaining(['You are no approver of leaves any more', 'You are an approver of leaves now']),
    )
    await set(admin, null)
  })
  it.each([
    ['/leave-calendar/requests', 'calendar:leave:read'],
    ['/dossier-controller/users', 'dossier:user:read'],
    ['/sms/recipients', 'sms:message:create'],
  ])('a search of %s does not reveal e-mail addresses', async (path, scope) => {
    const { token } = await of(support, scope)
    const found = await call(token, 'GET', `${path}?search=${encodeURIComponent('@example.org')}`)
    expect([found.status, found.body.items]).toEqual([200, []])
  })
  it('people who have left are named in no settings of alerts', async () => {
    const gone = await of(board)
    expect((await call(admin, 'DELETE', '/auth/users', { id: gone.id })).status).toBe(204)
    const named = { fallbackIds: [gone.id], alertDepartments: [999_999] }
    for (const [field, ids] of Object.entries(named)) {
      const { status, body } = await call(admin, 'PATCH', '/sms/settings', { [field]: ids })
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]])
    }
  })
  it('texts of messages are not shown to people who may send and not read', async () => {
    const gateway = { gateway: 'http', url: 'http://127.0.0.1:9', secret: 'secret' }
    expect((await call(admin, 'PATCH', '/sms/settings', gateway)).status).toBe(200)
    const sent = await made('/sms/messages', { to: '+4799887766', body: 'Words', sendAt: '2031-01-01T00:00:00.000Z' })
    const { token } = await of(support, 'sms:message:create')
    for (const act of ['cancel', 'acknowledge'])
      expect((await call(token, 'POST', `/sms/batches/${sent.id}/${act}`)).status, act).toBe(404)
    const { id } = await made('/sms/messages', { to: '+4799887755', body: 'Words' })
    const [message] = (await call(admin, 'GET', `/sms/messages?batchId=${id}`)).body.items
    for (const act of ['cancel', 'again'])
      expect((await call(token, 'POST', `/sms/messages/${message.id}/${act}`)).status, act).toBe(404)
    const own = await made('/sms/messages', { to: '+4799887744', body: 'Own' }, token)
    expect((await call(token, 'POST', `/sms/batches/${own.id}/cancel`)).status).toBe(200)
  })
})

describe('a conflict', () => {
  it.each([
    ['users:department', '/auth/departments', { name: 'Conflict' }],
    ['calendar:shift-team', '/calendar/shifts/team', { name: 'Early', date: '2031-03-03' }],
    ['qa:tag', '/qa-controller-v2/tags', { name: 'Conflict', colour: 'info' }],
  ])('with the permissions %s shows the stored row only to people who may read it', async (resource, path, row) => {
    const body = { ...row, ...(resource.includes('team') && { departmentId: support }) }
    const { id } = await made(path, body)
    const remove = async (...actions: string[]) => {
      const { token } = await of(support, ...actions.map((action) => `${resource}:${action}`))
      const { status, body } = await call(token, 'DELETE', `${path}/${id}`, { version: 99 })
      return [status, body.current?.id]
    }
    expect(await remove('delete')).toEqual([409, undefined])
    expect(await remove('delete', 'read')).toEqual([409, id])
  })
  it('of the caller’s own resource shows the row', async () => {
    const { id, token } = await t.somebody([])
    const { status, body } = await call(token, 'PATCH', `/employee-controller/profile/user/${id}`, { version: 99 })
    expect([status, typeof body.current]).toEqual([409, 'object'])
  })
})

describe('a change without the right to read', () => {
  it.each([
    ['users:department', '/auth/departments', { name: 'Narrowed' }, { description: 'Sent' }],
    ['qa:tag', '/qa-controller-v2/tags', { name: 'Narrowed', colour: 'info' }, { description: 'Sent' }],
  ])('of %s answers what the caller sent, and the row only to people who may read it', async (resource, path, row, sent) => {
    const stored = await made(path, row)
    const change = async (body: object, ...actions: string[]) => {
      const { token } = await of(support, ...actions.map((action) => `${resource}:${action}`))
      const answer = await call(token, 'PATCH', `${path}/${stored.id}`, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body
    }
    const version = expect.any(Number)
    expect(await change({}, 'update')).toEqual({ id: stored.id, version })
    expect(await change(sent, 'update')).toEqual({ id: stored.id, version, ...sent })
    expect(await change({}, 'update', 'read')).toMatchObject({ ...row, ...sent })
  })
  it('of the caller’s own account, and a creation, answer the whole row', async () => {
    const { id, token } = await t.somebody(['users:department:create'])
    const own = await call(token, 'PATCH', `/employee-controller/profile/user/${id}`, {})
    expect([own.status, own.body.username]).toEqual([200, expect.any(String)])
    expect(await made('/auth/departments', { name: 'Created whole' }, token)).toMatchObject({ people: 0 })
  })
})

describe('of somebody else’s work in support quality', () => {
  const chats = '/chat-controller-v2'
  let chatId: number
  let scores: unknown[]
  beforeAll(async () => {
    const { id: gradeId } = await made('/qa-controller-v2/score/grades', { name: 'Good', value: 80 })
    const { id: poor } = await made('/qa-controller-v2/score/grades', { name: 'Poor', value: 0 })
    const type = { name: 'Tone', weight: 10, gradeIds: [gradeId, poor] }
    const { id: scoreTypeId } = await made('/qa-controller-v2/score/types', type)
    scores = [{ scoreTypeId, gradeId }]
    const source = await made('/qa-controller-v2/sources', { name: 'Help desk' })
    await t.call('POST', `/api/qa-controller-v2/sources/${source.id}/file`, {
      token: admin,
      raw: Buffer.from(JSON.stringify(imported('chat', 'one'))),
      type: 'application/octet-stream',
    })
    chatId = (await call(admin, 'GET', `${chats}/chats/archive`)).body.items[0].id
  })
  it('a dispute is neither decided nor reopened by whoever disputes', async () => {
    const agent = await t.somebody(['qa:feedback:create', 'qa:feedback:status', 'qa:feedback:update'])
    const { reviews } = await made(`${chats}/reviews`, {
      chatId,
      agents: [agent.id],
      data: { scores, agentReason: 'Led the shift' },
    })
    const dispute = { chatId, review: reviews[0].id, feedback: 'Unfair', type: 'dispute' }
    const { id } = await made(`${chats}/feedbacks`, dispute, agent.token)
    const set = (token: string, body: object) => call(token, 'PATCH', `${chats}/feedbacks/${id}/status`, body)
    const tries = [{ outcome: 'accepted' }, { answer: 'You are right' }]
    for (const more of tries)
      expect((await set(agent.token, { status: 'in-progress', ...more })).status, JSON.stringify(more)).toBe(403)
    expect((await set(agent.token, { status: 'in-progress' })).status).toBe(200)
    const decider = await t.somebody(['qa:feedback:status'])
    expect((await set(decider.token, { status: 'answered', outcome: 'rejected', answer: 'No' })).status).toBe(200)
    for (const more of [{}, ...tries])
      expect((await set(agent.token, { status: 'open', ...more })).status, JSON.stringify(more)).toBe(403)
  })
  it('a conversation is not shown by the acts of whoever may not read it', async () => {
    const scopes = ['qa:feedback:create', 'qa:escalation:create', 'qa:chat:tag', 'qa:manager:access']
    const { token } = await t.somebody(scopes)
    for (const [method, path, body] of [
      ['POST', 'feedbacks', { chatId, feedback: 'Late' }],
      ['POST', 'escalations', { chatId, escalationDTO: { reason: 'Late' } }],
      ['POST', `chats/${chatId}/tags`, { tags: [] }],
      ['POST', `chats/${chatId}/queue`, {}],
      ['PATCH', `chats/${chatId}/assignee`, { assigneeId: null }],
    ] as const) {
      const answer = await call(token, method, `${chats}/${path}`, body)
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([403, expect.not.stringContaining('About one')])
    }
  })
  it('customers are not found by a search of cases, nor exported, by whoever may not read conversations', async () => {
    await made(`${chats}/feedbacks`, { chatId, feedback: 'Slow' })
    await made(`${chats}/escalations`, { chatId, escalationDTO: { reason: 'Slow' } })
    const cases = ['qa:feedback:read', 'qa:escalation:read']
    const [blind, reader] = [await t.somebody(cases), await t.somebody([...cases, 'qa:chat:read'])]
    for (const path of [
      `${chats}/feedbacks?search=`,
      `${chats}/escalations?search=`,
      '/qa-controller/feedback/search/',
    ]) {
      const found = async ({ token }: { token: string }, text: string) =>
        (await call(token, 'GET', `${path}${encodeURIComponent(text)}`)).body.items.length > 0
      const texts = ['ola@cust', 'about one', 'slow'] // the customer, the subject, the words of the case
      const by = (person: { token: string }) => Promise.all(texts.map((text) => found(person, text)))
      expect([await by(blind), await by(reader)], path).toEqual([
        [false, false, true],
        [true, true, true],
      ])
    }
    const exported = async (...scopes: string[]) => {
      const { token } = await t.somebody(['qa:manager:access', ...scopes])
      const path = '/qa-controller-v2/customers/export'
      const { status, body } = await call(token, 'POST', path, { email: 'ola@customer.example' })
      return [status, body.items?.length]
    }
    expect(await exported('qa:chat:read')).toEqual([403, undefined])
    expect(await exported('qa:chat:read', 'qa:ticket:read')).toEqual([200, 1])
  })
  it('a conversation is neither reviewed nor taken by whoever may not read it', async () => {
    const { token } = await t.somebody(['qa:chat:review'])
    const review = { agents: [(await t.somebody([])).id], data: { scores } }
    for (const [method, path, body] of [
      ['POST', `${chats}/chats/${chatId}/lease`, {}],
      ['POST', `${chats}/reviews`, { chatId, ...review }],
      ['PATCH', `/qa-controller/chat/${chatId}`, review],
      ['PATCH', `/qa-controller/chat/${chatId}`, { reviewLater: true }],
    ] as const)
      expect((await call(token, method, path, body)).status, path).toBe(403)
    const reader = await t.somebody(['qa:chat:review', 'qa:chat:read'])
    expect((await call(reader.token, 'POST', `${chats}/chats/${chatId}/lease`)).status).toBe(200)
    expect((await call(reader.token, 'DELETE', `${chats}/chats/${chatId}/lease`)).status).toBe(204)
  })
  it('reviews are not shown to whoever may read escalations and not the conversation', async () => {
    const path = `${chats}/escalations`
    const { id } = (await call(admin, 'GET', path)).body.items[0]
    const status = async (...scopes: string[]) =>
      (await call((await t.somebody(scopes)).token, 'GET', `${path}/${id}/reviews`)).status
    expect(await status('qa:escalation:read')).toBe(403)
    expect(await status('qa:escalation:read', 'qa:chat:read')).toBe(200)
  })
  it('comments are not shown by a conflict, nor deleted by the person whom they are about', async () => {
    const agent = await t.somebody(['qa:comment:delete', 'qa:comment:update'])
    const { reviews } = await made(`${chats}/reviews`, {
      chatId,
      agents: [agent.id],
      data: { scores, agentReason: 'Led the shift' },
    })
    const review = reviews.find((one: { agent: { id: number } }) => one.agent.id === agent.id)
    const { id } = await made(`${chats}/reviews/${review.id}/comments`, { commentData: 'Not the first time' })
    const changed = await call(agent.token, 'PATCH', `${chats}/comments/${id}`, { content: 'Fine', version: 99 })
    expect([changed.status, JSON.stringify(changed.body)]).toEqual([422, expect.not.stringContaining('first time')])
    expect((await call(agent.token, 'DELETE', `${chats}/comments/${id}`)).status).toBe(403)
    expect((await call(admin, 'DELETE', `${chats}/comments/${id}`)).status).toBe(204)
  })
  it('nobody comments on a conversation that they may not read, nor changes a comment of others on it', async () => {
    const read = 'qa:chat:read'
    const scopes = ['qa:comment:create', 'qa:comment:delete', 'qa:note:create', 'dossier:chat-comment:create']
    const { token } = await t.somebody(scopes)
    const [message] = (await call(admin, 'GET', `${chats}/chats/${chatId}`)).body.items
    const refused = { code: 'denied' }
    expect((await call(token, 'GET', `${chats}/chats/${chatId}`)).body).toMatchObject(refused)
    const writes = [
      [`${chats}/chats/${chatId}/comments`, { commentData: 'Blind' }],
      [`${chats}/chats/${chatId}/notes`, { noteData: 'Blind' }],
      ['/dossier-controller/chat-comments', { chatId, commentData: 'Blind' }],
    ] as const
    for (const [path, body] of writes) {
      const answer = await call(token, 'POST', path, body)
      expect([answer.status, answer.body.code], path).toEqual([403, refused.code])
    }
    const line = `${chats}/messages/${message.id}/comments`
    expect((await call(token, 'POST', line, { commentData: 'Blind' })).status).toBe(403)
    const { id } = await made(`${chats}/chats/${chatId}/comments`, { commentData: 'Not for all' })
    expect((await call(token, 'DELETE', `${chats}/comments/${id}`)).status).toBe(403)
    const reader = await t.somebody([...scopes, read])
    for (const [path, body] of writes) await made(path, body, reader.token)
    expect((await call(reader.token, 'DELETE', `${chats}/comments/${id}`)).status).toBe(204)
  })
  it('a calibration shows no conversation to people who may not read it', async () => {
    const rubric = ['qa:score-type:read', 'qa:score-grade:read']
    const path = '/qa-controller-v2/calibrations'
    const start = (token: string, ...participants: { id: number }[]) =>
      call(token, 'POST', path, {
        ...{ conversationId: chatId, title: 'Blind', participants: participants.map(({ id }) => id) },
      })
    const reader = await t.somebody([...rubric, 'qa:chat:read'])
    const manager = await t.somebody([...rubric, 'qa:manager:access'])
    expect((await start(manager.token, manager, reader)).status).toBe(403)
    const refused = await start(admin, manager, reader)
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([422, ['participants']])
    const { body: session } = await start(admin, reader, await t.somebody(['qa:chat:read']))
    expect((await call(reader.token, 'GET', `${path}/${session.id}`)).status).toBe(200)
    expect((await call(manager.token, 'GET', `${path}/${session.id}`)).status).toBe(403)
    expect((await call(manager.token, 'GET', path)).body.items).toEqual([])
  })
})
