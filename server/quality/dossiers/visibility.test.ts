import { files } from '@innkeeper/contract/desk/files'
import { visibilities } from '@innkeeper/contract/quality/dossiers/values'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyWith } from '../../test/hostile/forms.ts'
import { openDossiers, type Person, scopes } from './test/dossiers.ts'

/**
 * Every call that shows entries × role × visibility × relation of the reader to the person. The test computes the
 * expected readers from teams and memberships upward from the person; the server computes them downward from the
 * reader, in SQL.
 */
let d: Awaited<ReturnType<typeof openDossiers>>
beforeAll(async () => {
  d = await openDossiers()
})
afterAll(() => d.t.close())

interface Team {
  id: number
  manager?: Person
  above?: Team
}
const members: { who: Person; team: Team; isCurrent: boolean }[] = []
const relations: Record<string, Person> = {}
let subject: Person
let author: Person
let fileId: number
const entries: { id: number; visibility: string; isDraft: boolean }[] = []

beforeAll(async () => {
  const names = [
    'author',
    'self',
    'manager',
    'managerAbove',
    'formerManager',
    'mate',
    'formerMate',
    'stranger',
    'skipped',
  ]
  for (const name of names) relations[name] = await d.person()
  relations.administrator = d.admin
  const r = relations as Record<string, Person>
  subject = r.self!
  author = r.author!
  const make = async (manager?: Person, above?: Team): Promise<Team> => ({
    id: await d.team({ ...(manager && { managerId: manager.id }), ...(above && { parentId: above.id }) }),
    ...(manager && { manager }),
    ...(above && { above }),
  })
  const top = await make(r.skipped)
  const middle = await make(r.managerAbove, top)
  // a team without a manager: the manager of the team above counts
  const additional = await make(undefined, middle)
  const main = await make(r.manager, top)
  const former = await make(r.formerManager)
  const join = async (who: Person, team: Team, isCurrent: boolean, more: object = {}) => {
    await d.join(who, team.id, { ...(isCurrent ? {} : { to: '2026-03-01' }), ...more })
    members.push({ who, team, isCurrent })
  }
  await join(subject, former, false)
  await join(subject, main, true, { from: '2026-03-02' })
  await join(subject, additional, true, { isAdditional: true })
  await join(r.mate!, main, true)
  await join(r.formerMate!, former, true)
  // a manager who is a member of their own team is managed by the manager above
  await join(r.manager!, main, true)
  const { payload: raw, type } = bodyWith(files.upload, { isPrivate: true })
  const uploaded = await d.t.call('POST', '/api/internal-file-manager/upload-files', {
    token: d.admin.token,
    raw,
    type,
  })
  fileId = uploaded.body[0].id
  await d.t.app.db.execute(sql`update files set owner_id = ${author.id} where file_id = ${fileId}`)
  for (const visibility of visibilities)
    for (const isDraft of [false, true]) {
      const content = `findable ${visibility} ${isDraft}`
      const fields = { userId: subject.id, visibility, isDraft, content, fileIds: [fileId] }
      entries.push({ ...(await d.done(author, 'POST', '/feedbacks', fields)), isDraft })
    }
})

/** The managers of a person: for each present team, the nearest manager upward who is another person. */
function managersOf(person: Person): number[] {
  return members.flatMap(({ who, team, isCurrent }) => {
    if (who !== person || !isCurrent) return []
    let at: Team | undefined = team
    while (at && (!at.manager || at.manager.id === person.id)) at = at.above
    return at?.manager ? [at.manager.id] : []
  })
}
const teamsOf = (person: Person) =>
  members.flatMap(({ who, team, isCurrent }) => (who === person && isCurrent ? [team] : []))

function mayRead(
  reader: Person,
  about: Person,
  { visibility, isDraft }: { visibility: string; isDraft: boolean },
): boolean {
  if (reader === author) return true
  if (isDraft || visibility === 'private') return false
  if (reader === d.admin || managersOf(about).includes(reader.id)) return true
  if (visibility === 'manager') return false
  if (reader === about) return true
  return visibility === 'team' && teamsOf(reader).some((team) => teamsOf(about).includes(team))
}

const readable = (reader: Person) => entries.filter((entry) => mayRead(reader, subject, entry)).map(({ id }) => id)
const idsOf = (items: { id: number }[]) => items.map(({ id }) => id).sort((a, b) => a - b)
const who = ['author', 'self', 'manager', 'managerAbove', 'formerManager', 'mate', 'formerMate', 'stranger', 'skipped']
const everybody = [...who, 'administrator']

test('the sample people have different relations to the person', () => {
  const counts = Object.fromEntries(everybody.map((name) => [name, readable(relations[name]!).length]))
  expect(counts).toEqual({
    ...{ author: 8, self: 2, manager: 3, managerAbove: 3, formerManager: 0, mate: 1, formerMate: 0, stranger: 0 },
    ...{ skipped: 0, administrator: 3 },
  })
})

describe.each(everybody)('%s', (name) => {
  test('a reader gets exactly the entries that the rule allows in lists, searches, counts, timeline and export', async () => {
    const reader = relations[name]!
    const own = readable(reader)
    const list = await d.done(reader, 'GET', `/feedbacks?userId=${subject.id}`)
    expect([idsOf(list.items), list.total]).toEqual([own, own.length])
    const found = await d.done(reader, 'GET', '/feedbacks?search=findable')
    expect([idsOf(found.items), found.total]).toEqual([own, own.length])
    for (const { id, visibility } of entries) {
      const hits = await d.done(reader, 'GET', `/feedbacks?search=findable ${visibility}&visibility=${visibility}`)
      expect(idsOf(hits.items).includes(id)).toBe(own.includes(id))
    }
    const timeline = await d.done(reader, 'GET', `/users/${subject.id}/timeline?kind=feedback`)
    expect(idsOf(timeline.items)).toEqual(own)
    const exported = await d.done(reader, 'POST', `/users/${subject.id}/export`, {})
    expect(idsOf(exported.feedback)).toEqual(own)
    // the file does not count entries that its reader may not read either
    expect(Object.keys(exported)).not.toContain('withheld')
    const mine = await d.done(reader, 'GET', '/mine')
    expect(idsOf(mine.items)).toEqual(reader === subject ? own : [])
  })
})

test('the audience that a form shows equals the readers of the entry', async () => {
  for (const visibility of visibilities) {
    const { people, administrators } = await d.done(
      author,
      'GET',
      `/audience?userId=${subject.id}&visibility=${visibility}`,
    )
    const expected = everybody.filter((name) => mayRead(relations[name]!, subject, { visibility, isDraft: false }))
    const named = expected.filter((name) => name !== 'administrator').map((name) => relations[name]!.id)
    const related = people.filter(({ isAdmin }: { isAdmin: boolean }) => !isAdmin)
    expect(idsOf(related)).toEqual(named.sort((a, b) => a - b))
    expect(people).toHaveLength(expected.length)
    expect(administrators).toBe(expected.includes('administrator') ? 1 : 0)
  }
})

test('events and notifications reach readers only, and a mention of other people is refused', async () => {
  const heard: { event: string; data: { domain?: string }; to?: number[] }[] = []
  await d.t.app.database.listen('live', (payload) => {
    if (payload) heard.push(JSON.parse(payload))
  })
  const fields = { userId: subject.id, visibility: 'manager', content: 'heard' }
  const refused = await d.ask(author, 'POST', '/feedbacks', { ...fields, mentions: [subject.id] })
  expect(refused).toMatchObject({ status: 422, body: { fields: { mentions: expect.any(String) } } })
  heard.length = 0
  const { id } = await d.done(author, 'POST', '/feedbacks', { ...fields, mentions: [relations.manager!.id] })
  await expect.poll(() => heard.filter(({ event }) => event === 'changed').length).toBe(2)
  const may = everybody.filter((name) => mayRead(relations[name]!, subject, { visibility: 'manager', isDraft: false }))
  const readers = may.map((name) => relations[name]!.id).sort((a, b) => a - b)
  for (const { event, to = [] } of heard)
    if (event === 'changed') expect([...to].sort((a, b) => a - b)).toEqual(readers)
    else expect(to).toEqual([relations.manager!.id])
  expect(JSON.stringify(heard)).not.toContain('heard')
  await d.done(author, 'DELETE', `/feedbacks/${id}`, {})
})

/** Roles from no permission to all permissions, to be combined with each relation. */
const roles: Record<string, string[]> = {
  'signs in': [],
  'reads pages': ['dossier:user:read', 'dossier:comment:read'],
  'reads feedback': ['dossier:feedback:read'],
  'works with dossiers': scopes,
}

test.each(
  Object.keys(roles),
)('a person who %s gets from each call exactly what role and relation allow', async (role) => {
  const held = roles[role] ?? []
  const staff = who.map((name) => relations[name]!.id)
  const { id: roleId } = await d.done(d.admin, 'POST', '/api/auth/roles', { name: role, scopes: held })
  await d.done(d.admin, 'PATCH', '/api/auth/roles/users', { users: staff, role: roleId })
  for (const name of everybody) {
    const reader = relations[name]!
    const own = readable(reader)
    const holds = (scope: string) => reader === d.admin || held.includes(scope)
    const status = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string) =>
      (await d.ask(reader, method, path, method === 'GET' ? undefined : {})).status
    // sessions get the permissions of a new role within 100 ms
    if (reader !== d.admin)
      await expect
        .poll(async () => (await d.done(reader, 'GET', '/api/auth/validate')).user.scopes.toSorted())
        .toEqual(held.toSorted())
    const isSelf = reader === subject
    const reads = holds('dossier:feedback:read')
    const list = await d.ask(reader, 'GET', `/feedbacks?userId=${subject.id}`)
    expect([list.status, idsOf(list.body.items ?? [])], name).toEqual(reads ? [200, own] : [403, []])
    const timeline = await d.ask(reader, 'GET', `/users/${subject.id}/timeline?kind=feedback`)
    const mayOpen = isSelf || holds('dossier:comment:read')
    expect([timeline.status, idsOf(timeline.body.items ?? [])], name).toEqual(
      mayOpen ? [200, isSelf || reads ? own : []] : [403, []],
    )
    expect(await status('GET', `/users/${subject.id}/trend`), name).toBe(mayOpen ? 200 : 403)
    const exported = await d.ask(reader, 'POST', `/users/${subject.id}/export`, {})
    const mayExport = isSelf || holds('dossier:user:read')
    expect([exported.status, idsOf(exported.body.feedback ?? [])], name).toEqual(
      mayExport ? [200, isSelf || reads ? own : []] : [403, []],
    )
    expect((await d.done(reader, 'GET', '/mine')).total, name).toBe(isSelf ? own.length : 0)
    expect((await d.done(reader, 'GET', `/talks?userId=${subject.id}`)).total, name).toBe(0)
    const audience = `/audience?userId=${subject.id}&visibility=team`
    expect(await status('GET', audience), name).toBe(holds('dossier:feedback:create') ? 200 : 403)
    const erasure = await d.ask(reader, 'POST', `/users/${subject.id}/erasure`, { reason: 'asked for' })
    expect(erasure.status, name).toBe(holds('dossier:user:delete') ? 422 : 403)
    for (const { id, visibility, isDraft } of entries) {
      const entry = `${name}, ${visibility}${isDraft ? ' draft' : ''}`
      const found = own.includes(id) ? 200 : 404
      expect(await status('GET', `/feedbacks/${id}`), entry).toBe(reads ? found : 403)
      expect(await status('GET', `/feedbacks/${id}/files/${fileId}`), entry).toBe(found)
      if (reader === author) continue
      const hidden = found === 200 ? 422 : 404
      expect(await status('PATCH', `/feedbacks/${id}`), entry).toBe(holds('dossier:feedback:update') ? hidden : 403)
      expect(await status('DELETE', `/feedbacks/${id}`), entry).toBe(holds('dossier:feedback:delete') ? hidden : 403)
      if (!isSelf) expect(await status('POST', `/feedbacks/${id}/acknowledgement`), entry).toBe(404)
    }
  }
})
