import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { imported } from '../../test/hostile/world/quality.ts'

/** Reviewers who are limited to a department or a team, on every path to a conversation (decision 202). */
let t: TestApp
let token: string
let source: number
const v2 = '/api/qa-controller-v2'
const chats = '/api/chat-controller-v2'
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const done = async (...asked: Parameters<typeof call>) => {
  const answer = await call(...asked)
  expect(answer.status, `${asked[0]} ${asked[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}
const idOf = async (externalId: string) =>
  (
    await rows<{ id: number }>(
      t.app.db,
      sql`select qc_conversation_id as id from qc_conversations where external_id = ${externalId}`,
    )
  )[0]?.id ?? 0
const importing = (...items: unknown[]) => {
  const raw = Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'))
  return t.call('POST', `${v2}/sources/${source}/file`, { token, raw, type: 'application/octet-stream' })
}
const scopes = [
  ...['qa:chat:read', 'qa:chat:review', 'qa:chat:tag', 'qa:chat:review-update', 'qa:chat:review-delete'],
  ...['qa:escalation:read', 'qa:escalation:create', 'qa:escalation:status', 'qa:feedback:read', 'qa:feedback:create'],
  ...[
    'qa:comment:create',
    'qa:note:create',
    'qa:statistics:read',
    'qa:check:read',
    'qa:chat-queue:settings',
    'qa:cron:read',
    'dossier:user:read',
  ],
  ...['qa:feedback:status', 'qa:feedback:update', 'qa:score-type:read', 'qa:score-grade:read'],
]
let limited: { id: number; token: string }
let inTeam: { id: number; token: string }
const agents = {} as Record<'here' | 'there', number>
const reviews = {} as Record<'here' | 'there', number>
const cases: Record<string, number> = {}
const department = {} as Record<'here' | 'there', number>
let team: number

beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  const good = await done('POST', `${v2}/score/grades`, { name: 'Good', value: 80 })
  const poor = await done('POST', `${v2}/score/grades`, { name: 'Poor', value: 0 })
  const type = await done('POST', `${v2}/score/types`, { name: 'Tone', weight: 10, gradeIds: [poor.id, good.id] })
  source = (await done('POST', `${v2}/sources`, { name: 'Desk' })).id
  for (const name of ['here', 'there'] as const) {
    department[name] = (await done('POST', '/api/auth/departments', { name })).id
    agents[name] = (await t.somebody([], `agent-${name}`)).id
    await t.app.db.execute(sql`update users set department_id = ${department[name]} where user_id = ${agents[name]}`)
  }
  await importing(imported('chat', 'c-here', 'here'), imported('chat', 'c-there', 'there'))
  for (const { id, identity } of (await done('GET', `${v2}/identities`)).items)
    await done('PATCH', `${v2}/identities/${id}`, { userId: agents[identity as 'here'] })
  for (const name of ['here', 'there'] as const) {
    const chatId = await idOf(`c-${name}`)
    const scores = [{ scoreTypeId: type.id, gradeId: good.id }]
    reviews[name] = (await done('POST', `${chats}/reviews`, { chatId, data: { scores } })).reviews[0].id
    cases[`escalation ${name}`] = (await done('POST', `${chats}/escalations`, { chatId })).id
    cases[`feedback ${name}`] = (await done('POST', `${chats}/feedbacks`, { chatId, feedback: 'Hm' })).id
  }
  await importing(imported('chat', 'q-here', 'here'), imported('chat', 'q-there', 'there'))
  for (const name of ['there', 'here']) await done('POST', `${chats}/chats/${await idOf(`q-${name}`)}/queue`, {})
  team = (
    await rows<{ id: number }>(
      t.app.db,
      sql`insert into dossier_teams (name) values ('Night') returning dossier_team_id as id`,
    )
  )[0]!.id
  await t.app.db.execute(
    sql`insert into dossier_memberships (user_id, team_id, starts_on) values (${agents.here}, ${team}, '2026-01-01')`,
  )
  limited = await t.somebody(scopes, 'limited')
  inTeam = await t.somebody(scopes, 'inteam')
  await done('PATCH', `${v2}/reviewers/${limited.id}`, { departmentIds: [department.here] })
  await done('PATCH', `${v2}/reviewers/${inTeam.id}`, { teamIds: [team] })
})
afterAll(() => t.close())

const named = (body: { items: { externalId: string }[] }) => body.items.map(({ externalId }) => externalId).sort()

describe.each(['department', 'team'])('a reviewer who is limited to a %s', (by) => {
  const as = () => (by === 'team' ? inTeam.token : limited.token)
  test.each([
    [`${chats}/chats/archive`, ['c-here']],
    [`${chats}/chats/archive?text=website`, ['c-here']],
    [`${chats}/chats/archive?search=c-`, ['c-here']],
    [`${chats}/chats/archive?sort=failedChecks`, []],
    [`${chats}/chats/queue`, ['q-here']],
    ['/api/qa-controller/chat', ['c-here', 'q-here']],
    ['/api/qa-controller/chat/reviewed', ['c-here']],
    ['/api/qa-controller/chat/unreviewed', ['q-here']],
    ['/api/qa-controller/chat/search/q-', ['q-here']],
    [`${chats}/escalations`, ['c-here']],
    [`${chats}/escalations?search=Escalated`, ['c-here']],
    [`${chats}/feedbacks`, ['c-here']],
    ['/api/qa-statistics-v2/statistics/reviews', ['c-here']],
  ])('reads of %s only %j', async (path, expected) =>
    expect(named(await done('GET', path, undefined, as()))).toEqual(expected))

  test('counts only these reviews in statistics', async () => {
    for (const path of ['qa-statistics-v2/statistics/overall', 'qa-statistics/statistic'])
      expect(await done('GET', `/api/${path}`, undefined, as())).toMatchObject({ n: 1 })
    expect((await done('GET', '/api/qa-statistics-v2/statistics/users', undefined, as())).total).toBe(1)
    const other = await done('GET', `/api/qa-statistics-v2/statistics/users/${agents.there}`, undefined, as())
    expect(other.n).toBe(0)
  })

  test('is refused what is of others, by each call, and gets the next item of theirs', async () => {
    const [there, queued] = [await idOf('c-there'), await idOf('q-there')]
    const refused: [Parameters<typeof call>[0], string, unknown?][] = [
      ['GET', `${chats}/chats/${there}`],
      ['GET', `/api/qa-controller/chat/${there}`],
      ['POST', `${chats}/chats/${queued}/lease`],
      ['PATCH', `${chats}/chats/${queued}/draft`, { data: {} }],
      ['POST', `${chats}/chats/${queued}/tags`, { tags: [] }],
      ['POST', `${chats}/reviews`, { chatId: queued, data: {} }],
      ['PATCH', `${chats}/reviews/${reviews.there}`, { data: { comment: 'x' } }],
      ['GET', `${chats}/reviews/${reviews.there}/edits`],
      ['DELETE', `${chats}/reviews/${reviews.there}`],
      ['POST', `${chats}/chats/${there}/comments`, { commentData: 'x' }],
      ['POST', `${chats}/reviews/${reviews.there}/comments`, { commentData: 'x' }],
      ['POST', `${chats}/chats/${there}/notes`, { noteData: 'x' }],
      ['POST', `${chats}/escalations`, { chatId: there }],
      ['GET', `${chats}/escalations/${cases['escalation there']}`],
      ['PATCH', `${chats}/escalations/${cases['escalation there']}/status`, { status: 'reviewed' }],
      ['GET', `${chats}/escalations/${cases['escalation there']}/reviews`],
      ['GET', `/api/qa-controller/escalation/resource/${there}`],
      ['POST', `${chats}/feedbacks`, { chatId: there, feedback: 'x' }],
      ['GET', `${chats}/feedbacks/${cases['feedback there']}`],
      ['PATCH', `${chats}/feedbacks/${cases['feedback there']}/status`, { status: 'answered' }],
      ['POST', `${v2}/checks/try`, { kind: 'chat', externalId: 'c-there', check: 'secrets' }],
    ]
    for (const [method, path, body] of refused) {
      const { status } = await call(method, path, body, as())
      expect([403, 404], `${method} ${path}: ${status}`).toContain(status)
    }
    await done('GET', `${chats}/chats/${await idOf('c-here')}`, undefined, as())
    const { nextId } = await done('GET', `${chats}/chats/${queued}/next`, undefined, as())
    expect(nextId).toBe(await idOf('q-here'))
  })
})

test('limits and goals are shown with what waits, and are judged beside their fields', async () => {
  const { items } = await done('GET', `${v2}/reviewers?itemsPerPage=200`)
  const [row] = items.filter(({ id }: { id: number }) => id === limited.id)
  expect(row).toMatchObject({ departments: [{ name: 'here' }], teams: [], weeklyGoal: null, reviewedThisWeek: 0 })
  const bad = await call('PATCH', `${v2}/reviewers/${limited.id}`, { teamIds: [9_999], version: row.version })
  expect([bad.status, Object.keys(bad.body.fields)]).toEqual([422, ['teamIds']])
  expect((await call('PATCH', `${v2}/reviewers/${limited.id}`, { weeklyGoal: 5 }, limited.token)).status).toBe(403)
  const given = await call('PATCH', `${chats}/chats/${await idOf('q-there')}/assignee`, { assigneeId: limited.id })
  expect([given.status, Object.keys(given.body.fields)]).toEqual([422, ['assigneeId']])
})

test('draws, calibrations and mentions name no conversation beyond the limits', async () => {
  const ids = { here: await idOf('c-here'), there: await idOf('c-there') }
  for (const name of ['here', 'there'] as const)
    await t.app.db.execute(sql`with d as (insert into qc_draws (kind, day, period_start, seed)
        values ('chat', ${name === 'here' ? '2026-01-05' : '2026-01-06'}, '2026-01-05', ${name}) returning qc_draw_id)
      insert into qc_drawn_agents (draw_id, agent_id, quota, due, pool_ids, drawn_ids)
      select qc_draw_id, ${agents[name]}, 1, 1, array[${ids.there}::int, ${ids[name]}::int], array[${ids[name]}::int] from d`)
  const draws = (await done('GET', `${v2}/queue-draws`, undefined, limited.token)).items
  expect(draws.map(({ poolIds, drawnIds }: { poolIds: number[]; drawnIds: number[] }) => [poolIds, drawnIds])).toEqual([
    [[ids.here], [ids.here]],
  ])
  const asked = { conversationId: ids.there, title: 'Together', participants: [limited.id, inTeam.id] }
  const calibration = await call('POST', `${v2}/calibrations`, asked)
  expect([calibration.status, Object.keys(calibration.body.fields)]).toEqual([422, ['participants']])
  const wish = { commentData: 'Look', notifyUsers: [limited.id] }
  const mentioned = await call('POST', `${chats}/chats/${ids.there}/comments`, wish)
  expect([mentioned.status, Object.keys(mentioned.body.fields)]).toEqual([422, ['notifyUsers']])
})

test('the last chat of a reviewer is no longer theirs once it is beyond the limits', async () => {
  const [there, here] = [await idOf('q-there'), await idOf('q-here')]
  const last = async () => (await done('GET', '/api/qa-controller/chat/last', undefined, limited.token)).chat?.id
  const state = (set: string) =>
    t.app.db.execute(sql`update qc_conversations set ${sql.raw(set)} where qc_conversation_id = ${there}`)
  const before = await last()
  await state(`holder_id = ${limited.id}, holds_until = now() + interval '10 minutes'`)
  expect([before, await last()]).toEqual([here, here])
  await state('holder_id = null, holds_until = null')
  await t.app.db.execute(
    sql`insert into qc_drafts (conversation_id, reviewer_id, content) values (${there}, ${limited.id}, '{}')`,
  )
  expect(await last()).toBe(here)
})

test('what an agent did stays with the department and team of that day', async () => {
  await t.app.db.execute(sql`update users set department_id = ${department.there} where user_id = ${agents.here}`)
  const [last] = await rows<{ at: string }>(t.app.db, sql`select max(last_at)::text as at from qc_conversations`)
  await t.app.db.execute(
    sql`update former_departments set until = ${last!.at}::timestamptz + interval '1 day' where department_id is not null`,
  )
  await importing({ ...imported('chat', 'c-here', 'here'), subject: 'Later import' })
  const heir = await done('POST', '/api/dossier-controller/teams', { name: 'Day' })
  await done('DELETE', `/api/dossier-controller/teams/${team}`, { replacementId: heir.id })
  for (const one of [limited, inTeam])
    expect(named(await done('GET', `${chats}/chats/archive`, undefined, one.token))).toEqual(['c-here'])
  const members = await rows(
    t.app.db,
    sql`select team_id, ends_on is null as open from dossier_memberships where user_id = ${agents.here} order by starts_on`,
  )
  expect(members).toEqual([
    { team_id: team, open: false },
    { team_id: heir.id, open: true },
  ])

  // figures, the lists that a saved view filters, and their exports, also of a review that is written after the move
  const types = (await done('GET', `${v2}/score/types`)).items as { id: number; gradeIds: number[] }[]
  const scores = types.map(({ id, gradeIds }) => ({ scoreTypeId: id, gradeId: gradeIds[1] }))
  await done('POST', `${chats}/reviews`, { chatId: await idOf('q-here'), agents: [agents.here], data: { scores } })
  const of = async (path: string, at: number) => named(await done('GET', `${path}?itemsPerPage=100&department=${at}`))
  for (const path of [`${chats}/chats/archive`, '/api/qa-statistics-v2/statistics/reviews'])
    expect([await of(path, department.here), await of(path, department.there)], path).toEqual([
      ['c-here', 'q-here'],
      ['c-there'],
    ])
  const { departments } = await done('GET', '/api/qa-statistics-v2/statistics/overall')
  const counted = departments.map((one: { department: { id: number }; n: number }) => [one.department.id, one.n])
  expect(counted.sort()).toEqual([
    [department.here, 2],
    [department.there, 1],
  ])
})
