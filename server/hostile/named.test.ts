import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { openTestApp, type TestApp } from '../testing/testApp.ts'
import { type Call, writing } from './calls.ts'

/**
 * Each writing call that names a member of staff, a department or a role is in one of these lists: a permission says who
 * may call, and not on whom. `reach.test.ts` judges accounts, roles and departments.
 */

/** Calls that judge the named person by more than their existence, with the rule and the test that tries it. */
const judged: Record<string, readonly string[]> = {
  'all rights of the person (decision 35): hostile/reach.test.ts': [
    ...['users.create', 'users.update', 'users.remove', 'users.forceLogout', 'roles.assign', 'departments.update'],
    ...['profiles.create'],
  ],
  'who reads dossiers (decision 50): dossiers/reach.test.ts': [
    ...['dossiers.createUser', 'dossiers.createTeam', 'dossiers.updateTeam', 'dossiers.createMembership'],
    ...['dossiers.updateMembership', 'dossiers.moveMembership', 'dossiers.createFeedback', 'dossiers.createTalk'],
  ],
  'the department of the person (decision 53): scrums/scrums.test.ts': ['scrums.createAudit'],
  'the owner of the file: files/files.test.ts': ['files.grant'],
  'who sees the event: below': [
    ...['calendarEvents.createAttendance', 'calendarEvents.invite', 'calendarEvents.inviteMany'],
    'calendarEvents.update',
  ],
  'whether the person may see the item: trackers/trackers.test.ts': [
    ...['bugs', 'features', 'internalTickets'].flatMap((face) => [`${face}.bulk`, `${face}.create`]),
    ...['bugs.update', 'features.update', 'internalTickets.assign'],
  ],
  'another person’s leave needs the permission over entitlements, and nobody becomes an approver alone: leaves/leaves.test.ts':
    [...['leaves.create', 'leaves.setApprovers']],
  'whether the person may read the conversation: hostile/weaker.test.ts': ['qcCalibrations.createCalibration'],
  'new people and departments exist: hostile/weaker.test.ts': ['sms.updateSettings'],
  'who sees the zone, and only promoted departments: dns/dns.test.ts': ['dns.create', 'dns.update'],
}

/** Work: the permission alone decides, and the person gains and loses no right (decision 35). */
const work: readonly string[] = [
  ...['create', 'update', 'remove', 'copy', 'publish', 'offerSwap', 'addNote', 'createTeam', 'setMinimum'].map(
    (name) => `shifts.${name}`,
  ),
  ...['shifts.createAutomation', 'shifts.updateAutomation'],
  ...['calendarEvents.create', 'calendarEvents.createRepeatable', 'calendarEvents.updateRepeatable'],
  ...['calendarEvents.setWorkplace', 'calendarEvents.removeWorkplace'],
  'sms.send',
  // labels: a role has the permissions that its maker has
  ...['roles.create', 'roles.update'],
  // work of support quality, and mentions, which quote nothing
  ...['qc.reviewChat', 'qc.reviewTicket', 'qc.noteChat', 'qc.noteTicket', 'qc.updateNote', 'qc.commentChat'],
  ...['qc.commentMessage', 'qc.commentTicket', 'qc.commentReply', 'qc.updateComment', 'qc.escalateChat'],
  ...['qc.escalateTicket', 'qc.updateEscalation', 'qcSources.mapIdentity'],
  ...['Chats', 'Tickets'].flatMap((kind) =>
    ['assign', 'submit', 'comment', 'commentMessage', 'commentReview', 'commentFeedback', 'updateComment', 'note'].map(
      (name) => `qc${kind}.${name}`,
    ),
  ),
  ...['qcChats.updateNote', 'qcTickets.updateNote', 'qcChats.escalate', 'qcTickets.escalate'],
  ...['dossiers.commentDossier', 'dossiers.createChatComment', 'dossiers.updateChatComment'],
  ...['dossiers.createTicketComment', 'dossiers.updateTicketComment'],
]
/** Calls whose `userId` or `username` names an account of a server or the owner of a website, not a member of staff. */
const others: readonly string[] = [
  ...['backups.restore', 'websites.create', 'names.addAlias', 'names.addSubwebsite', 'stagings.create'],
  ...['stagings.merge'],
]

const key =
  /^(userIds?|users|people|assigneeId|agents|participants|approvers|departmentIds?|departments|alertDepartments|roleId|role|heir|managerId|teamId|memberIds|notifyUsers|grantAccessTo|add)$/
const keysOf = ({ endpoint: { schemas } }: Call) =>
  [schemas.params, schemas.query, schemas.body, schemas.form].flatMap((schema?: z.ZodObject) =>
    Object.keys(schema?.shape ?? {}),
  )

it('each writing call that names a person, a department or a role is judged or listed as work', () => {
  const naming = writing.filter((call) => keysOf(call).some((name) => key.test(name))).map(({ name }) => name)
  expect(naming.toSorted()).toEqual([...Object.values(judged).flat(), ...work, ...others].toSorted())
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
