import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { users } from '../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../app.ts'
import { type Call, writing } from './calls.ts'

/**
 * Each writing call that names a member of staff, a department or a role is in one of these lists: a permission says who
 * may call, and not on whom. `reach.test.ts` judges accounts, roles and departments.
 */

/** Calls that judge the named person by more than their existence, with the rule and the test that tries it. */
const judged: Record<string, readonly string[]> = {
  'all rights of the person (decision 35): hostile/reach.test.ts': [
    ...['users.create', 'users.update', 'users.remove', 'users.forceLogout', 'roles.assign', 'departments.update'],
    ...['profiles.create', 'recovery.ask'],
  ],
  'the role and department of a service account, and the department of a token: apiTokens/apiTokens.test.ts': [
    ...['serviceAccounts.create', 'serviceAccounts.update', 'apiTokens.create'],
  ],
  'a second person or a rule, whose maker has all of it: elevations/elevations.test.ts': [
    ...['elevations.ask', 'elevations.createRule'],
  ],
  'who reads dossiers (decision 50): dossiers/reach.test.ts': [
    ...['dossiers.createUser', 'dossiers.createTeam', 'dossiers.updateTeam', 'dossiers.createMembership'],
    ...['dossiers.updateMembership', 'dossiers.moveMembership', 'dossiers.createFeedback', 'dossiers.createTalk'],
  ],
  'the department of the person (decision 53): scrums/scrums.test.ts': ['scrums.createAudit'],
  'the owner of the file: files/files.test.ts': ['files.grant'],
  'who sees the event, and whose it is: below': [
    ...['calendarEvents.createAttendance', 'calendarEvents.invite', 'calendarEvents.inviteMany'],
    ...['calendarEvents.update', 'calendarEvents.updateRepeatable'],
  ],
  'whether the person may see the item: trackers/trackers.test.ts': [
    ...['bugs', 'features', 'internalTickets'].flatMap((tracker) => [`${tracker}.bulk`, `${tracker}.create`]),
    ...['bugs.update', 'features.update', 'internalTickets.assign'],
  ],
  'another person’s leave needs the permission over entitlements, and nobody becomes an approver alone: leaves/leaves.test.ts':
    [...['leaves.create', 'leaves.setApprovers']],
  'whether the person may read the conversation: hostile/weaker.test.ts': ['qcCalibrations.createCalibration'],
  'new people and departments exist: hostile/weaker.test.ts': ['sms.updateSettings'],
  'the department of the zone, old and new, and only promoted ones: below': ['dns.create', 'dns.update'],
  'what the owner may read, before the choice of departments: webhooks/webhooks.test.ts': [
    ...['webhooks.create', 'webhooks.update'],
  ],
}

/** Work: the permission alone decides, and the person gains and loses no right (decision 35). */
const work: readonly string[] = [
  ...['create', 'update', 'remove', 'copy', 'publish', 'offerSwap', 'addNote', 'createTeam', 'setMinimum'].map(
    (name) => `shifts.${name}`,
  ),
  ...['shifts.createAutomation', 'shifts.updateAutomation'],
  ...['calendarEvents.create', 'calendarEvents.createRepeatable'],
  ...['calendarEvents.setWorkplace', 'calendarEvents.removeWorkplace'],
  'sms.send',
  'accessReviews.create', // shows what people hold; the end is judged: accessReviews/accessReviews.test.ts
  // labels: a role has the permissions that its maker has
  ...['roles.create', 'roles.update'],
  // work of support quality, and mentions, which quote nothing
  ...['qc.reviewChat', 'qc.reviewTicket', 'qc.noteChat', 'qc.noteTicket', 'qc.updateNote', 'qc.commentChat'],
  ...['qc.commentMessage', 'qc.commentTicket', 'qc.commentReply', 'qc.updateComment', 'qc.escalateChat'],
  ...['qc.escalateTicket', 'qc.updateEscalation', 'qcSources.mapIdentity', 'qcChecks.createCheck'],
  ...['qcChecks.updateCheck', 'qcReviewers.updateReviewer'],
  ...['Chats', 'Tickets'].flatMap((kind) =>
    ['assign', 'submit', 'comment', 'commentMessage', 'commentReview', 'commentFeedback', 'updateComment', 'note'].map(
      (name) => `qc${kind}.${name}`,
    ),
  ),
  ...['qcChats.updateNote', 'qcTickets.updateNote', 'qcChats.escalate', 'qcTickets.escalate'],
  'qc.removeNote', // the specification sends people along, whom nothing reaches
  ...['dossiers.commentDossier', 'dossiers.createChatComment', 'dossiers.updateChatComment'],
  ...['dossiers.createTicketComment', 'dossiers.updateTicketComment'],
]
/** Calls whose `userId` or `username` names an account of a server or the owner of a website, not a member of staff. */
const others: readonly string[] = [
  ...['backups.restore', 'websites.create', 'names.addAlias', 'names.addSubwebsite', 'stagings.create'],
  ...['stagings.merge', 'archiveImports.start', 'adoptions.take'],
]

const key =
  /^(userIds?|users|people|assigneeId|agents|participants|approvers|departmentIds?|departments|alertDepartments|roleId|role|heir|managerId|teamId|memberIds|notifyUsers|grantAccessTo|add)$/
const keysOf = ({ endpoint: { schemas } }: Call) =>
  [schemas.params, schemas.query, schemas.body, schemas.form].flatMap((schema?: z.ZodObject) =>
    Object.keys(schema?.shape ?? {}),
  )

it('each writing call that names a person, a department or a role is judged or listed as work', () => {
  const naming = writing.filter((call) => keysOf(call).some((name) => key.test(name))).map(({ name }) => name)
  expect(naming.toSorted(), 'a call that names somebody is in `judged`, `work` or `others`').toEqual(
    [...Object.values(judged).flat(), ...work, ...others].toSorted(),
  )
})

/** Calls that set who sees or owns a thing other than by a person, with what judges the old and the new place. */
const placing: Record<string, readonly string[]> = {
  'the department of the zone, and what the caller sees: below, dns/dns.test.ts': ['dns.create', 'dns.update'],
  'whether the file may be changed, and a confirmed number of files that become public: files/files.test.ts': [
    ...['files.upload', 'files.beginUpload', 'files.createFolder', 'files.update', 'files.updateFolder'],
  ],
  'who reads dossiers (decision 50): dossiers/reach.test.ts': ['dossiers.createTeam', 'dossiers.updateTeam'],
  'the author of the entry: dossiers/visibility.test.ts': ['dossiers.createFeedback', 'dossiers.updateFeedback'],
  'nothing: a folder of a tracker sorts items, and a set of addresses names servers': [
    ...['bugs', 'features'].flatMap((tracker) => ['bulk', 'create', 'update'].map((name) => `${tracker}.${name}`)),
    ...['internalTickets.bulk', 'ipsets.create', 'ipsets.update'],
  ],
}
const place = /^(visibility|isPrivate|private|adminOnly|folderId|parentId|everywhere|shared)$/

it('each writing call that sets who sees or owns a thing says what judges it', () => {
  const found = writing.filter((call) => keysOf(call).some((name) => place.test(name))).map(({ name }) => name)
  expect(found.toSorted(), 'a call that sets such a field is in `placing`').toEqual(
    Object.values(placing).flat().toSorted(),
  )
})

describe('somebody with all permissions of a service', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await openTestApp()
  })
  afterAll(() => t.close())

  it('cannot invite themselves to an event of another department', async () => {
    const admin = await t.somebody('admin')
    const api = (token: string, method: 'GET' | 'POST', path: string, body?: unknown) =>
      t.call(method, `/api${path}`, { token, ...(body !== undefined && { body }) })
    const { body: department } = await api(admin.token, 'POST', '/auth/departments', { name: 'Board' })
    const at = (hour: number) => new Date(Date.now() + hour * 3_600_000).toISOString()
    const fields = { title: 'Salaries', departmentId: department.id, startsAt: at(24), endsAt: at(25) }
    const { body: event } = await api(admin.token, 'POST', '/event-calendar/event', fields)
    const scopes = ['calendar:event:read', 'calendar:attendance:create', 'calendar:attendant:create']
    const { id: userId, token } = await t.somebody([...scopes, 'calendar:event:create'])
    const path = `/event-calendar/event/${event.id}`
    expect((await api(admin.token, 'GET', path)).status).toBe(200)
    expect((await api(token, 'POST', `${path}/attendant`, { userId })).status).toBe(404)
    expect((await api(token, 'POST', `${path}/attendant/many`, { userIds: [userId] })).status).toBe(404)
    expect((await api(token, 'POST', `${path}/attendance`, { userId })).status).toBe(404)
    expect((await api(token, 'GET', path)).status).toBe(404)
  })
})

describe('of another department', () => {
  let t: TestApp
  let admin: string
  let [support, board] = [0, 0]
  beforeAll(async () => {
    t = await openTestApp()
    admin = (await t.somebody('admin')).token
    support = (await made('/auth/departments', { name: 'Support' })).id
    board = (await made('/auth/departments', { name: 'Board' })).id
  })
  afterAll(() => t.close())
  const call = (token: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    t.call(method, `/api${path}`, { token, ...(body !== undefined && { body }) })
  const made = async (path: string, body: unknown, token = admin) => {
    const answer = await call(token, 'POST', path, body)
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  async function of(departmentId: number, ...scopes: string[]) {
    const person = await t.somebody(scopes)
    await t.app.db.update(users).set({ departmentId }).where(eq(users.id, person.id))
    await t.app.db.transaction((tx) => t.app.sessions.touch(tx, person.id))
    return person
  }

  it('an event is changed and deleted there only, whatever permission over events somebody has', async () => {
    const scopes = ['event', 'repeatable-event'].flatMap((kind) =>
      ['read', 'update', 'delete'].map((act) => `calendar:${kind}:${act}`),
    )
    const [caller, colleague] = [await of(support, ...scopes), await of(board, ...scopes)]
    const meeting = { departmentId: board, startsAt: '2031-03-04T09:00', endsAt: '2031-03-04T10:00' }
    const { id } = await made('/event-calendar/event', { title: 'Salaries', ...meeting })
    const path = `/event-calendar/event/${id}`
    const weekly = {
      title: 'Board',
      departmentId: board,
      rrule: 'FREQ=WEEKLY',
      startLocal: '2031-03-04T09:00',
      durationMin: 60,
    }
    const again = '/event-calendar/repeatable-event'
    const every = await made(again, weekly)
    const all = async ({ token }: { token: string }) => [
      (await call(token, 'GET', path)).status,
      (await call(token, 'PATCH', path, { departmentId: null })).status,
      (await call(token, 'DELETE', path)).status,
      (await call(token, 'PATCH', again, { id: every.id, title: 'Mine' })).status,
      (await call(token, 'DELETE', again, { id: every.id })).status,
    ]
    expect(await all(caller)).toEqual([404, 404, 404, 404, 404])
    await made(`${path}/attendant`, { userId: caller.id })
    expect(await all(caller)).toEqual([200, 403, 403, 404, 404])
    const given = await made('/event-calendar/event', { title: 'Moved', ...meeting })
    const moved = await call(colleague.token, 'PATCH', `/event-calendar/event/${given.id}`, { departmentId: support })
    expect(moved.body.departmentId).toBe(support)
    expect(await all(colleague)).toEqual([200, 200, 204, 200, 204])
  })
  it('a zone and the right to own zones are given and taken there only', async () => {
    const scopes = [
      'zone:read',
      'zone:create',
      'zone:update',
      'department:read',
      'department:create',
      'department:delete',
    ]
    const caller = await of(support, ...scopes.map((scope) => `dns:${scope}`))
    await made('/dns/departments', { ids: [support, board] })
    await made('/dns/zones', { domain: 'shared.example', departmentIds: [support, board] })
    const [{ id }] = (await call(admin, 'GET', '/dns/zones?search=shared.example')).body.items
    const give = (id: number, departmentIds: number[]) =>
      call(caller.token, 'PATCH', `/dns/zones/${id}`, { departmentIds })
    expect((await give(id, [support])).status, 'takes it from Board').toBe(403)
    expect((await give(id, [])).status, 'opens it to everybody').toBe(403)
    expect(
      (await call(caller.token, 'POST', '/dns/zones', { domain: 'a.example', departmentIds: [board] })).status,
    ).toBe(403)
    const own = await made('/dns/zones', { domain: 'own.example', departmentIds: [support] }, caller.token)
    expect((await give(own.data?.id ?? own.id, [support, board])).status, 'gives it to Board').toBe(403)
    await made('/dns/zones', { domain: 'b.example', departmentIds: [board] })
    const counted = (await call(caller.token, 'GET', '/dns/departments')).body.items
    expect(counted.find((one: { id: number }) => one.id === board).zones, 'of those that the caller sees').toBe(1)
    expect((await call(caller.token, 'DELETE', '/dns/departments', { ids: [board] })).status).toBe(403)
    expect((await call(admin, 'DELETE', '/dns/departments', { ids: [support] })).status).toBe(204)
    expect((await call(caller.token, 'POST', '/dns/departments', { ids: [support] })).status, 'opens zones again').toBe(
      403,
    )
  })
})
