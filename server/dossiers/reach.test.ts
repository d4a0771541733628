import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDossiers, type Person, scopes } from './testDossiers.ts'

/** Rights to arrange teams open no dossier to whoever holds them. */
let d: Awaited<ReturnType<typeof openDossiers>>
let [lead, member]: Person[] = []
let team = 0
beforeAll(async () => {
  d = await openDossiers()
  lead = await d.person()
  member = await d.person()
  team = await d.team({ managerId: lead!.id })
  await d.join(member!, team)
  for (const visibility of ['manager', 'team'])
    await d.done(lead!, 'POST', '/feedbacks', { userId: member!.id, content: 'Secret', visibility })
})
afterAll(() => d.t.close())

const count = async (who: Person) => (await d.done(who, 'GET', '/feedbacks')).total
const denied = { status: 403, body: { code: 'denied' } }
const from = '2026-01-02'

test('somebody who arranges teams cannot become the manager or a teammate of a person with entries', async () => {
  const weak = await d.person()
  const own = (await d.done(weak, 'POST', '/teams', { name: 'Own', managerId: weak.id })).id
  const below = await d.team()
  await d.join(member!, below, { isAdditional: true })
  const { items } = await d.done(weak, 'GET', `/memberships?userId=${member!.id}&teamId=${team}`)
  const add = (who: Person, teamId: number, first: string) =>
    d.ask(weak, 'POST', '/memberships', { userId: who.id, teamId, from: first, isAdditional: true })
  for (const answer of [
    await d.ask(weak, 'PATCH', `/teams/${team}`, { managerId: weak.id }),
    await d.ask(weak, 'PATCH', `/teams/${below}`, { parentId: own }),
    await d.ask(weak, 'DELETE', `/teams/${below}`, { replacementId: own }),
    await add(member!, own, from),
    await add(member!, own, '2999-01-01'),
    await add(weak, team, from),
    await d.ask(weak, 'PATCH', `/memberships/${items[0].id}`, { teamId: own }),
    await d.ask(weak, 'POST', `/memberships/${items[0].id}/move`, { teamId: own, from }),
  ])
    expect(answer).toMatchObject(denied)
  expect(await count(weak)).toBe(0)
  // others, whose manager is somebody else or nobody
  expect((await add(member!, await d.team(), from)).status).toBe(201)
  const fresh = await d.person()
  expect((await d.ask(weak, 'POST', '/memberships', { userId: fresh.id, teamId: own, from })).status).toBe(201)
})

test('whoever deletes an account cannot take over its teams and private files', async () => {
  const weak = await d.person([...scopes, 'users:user:delete'])
  const peer = await d.person()
  await d.join(member!, await d.team({ managerId: peer.id }), { isAdditional: true, from })
  const remove = (heir: number) => d.ask(weak, 'DELETE', '/api/auth/users', { id: peer.id, heir })
  expect(await remove(weak.id)).toMatchObject(denied)
  expect(await count(weak)).toBe(0)
  expect((await remove(lead!.id)).status).toBe(204)
})
