import { bugs } from '@innkeeper/contract/desk/trackers/bugs'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { bodyWith } from '../../test/hostile/forms.ts'
import { openInternalTicket, statesOfTickets } from './open.ts'

let t: TestApp
let token: string
let reader: { id: number; token: string }
let stranger: number
const base = '/api/bug-report/bugs'
const tickets = '/api/internal-tickets/tickets'
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = token) =>
  t.call(method, path, { token: as, ...(body !== undefined && { body }) })
const report = async (title: string, more: object = {}, at = base) => (await call('POST', at, { title, ...more })).body
const status = async (name: string, path = `${base}/status`): Promise<number> =>
  (await call('GET', path)).body.items.find((one: { name: string }) => one.name === name).id

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'error' }))
  token = (await t.somebody('admin')).token
  reader = await t.somebody(['bug-report:bug:read', 'feature-request:feature:read'], 'reader')
  stranger = (await t.somebody([], 'stranger')).id
})
afterAll(() => t.close())

describe('a list', () => {
  it('refuses a filter that does not exist, and a status that does not', async () => {
    const { status: code, body } = await call('GET', `${base}/search?filters[colour]=red&filters[status]=New`)
    expect([code, body.fields]).toEqual([422, { 'filters[colour]': 'No such filter' }])
    expect(body.message).toContain('status')
    expect((await call('GET', `${base}?status=Nowhere`)).status).toBe(422)
  })
  it('filters by name, id and group of a status, ignoring case', async () => {
    const resolved = await status('Resolved')
    const { key } = await report('Found by its status', { statusId: resolved })
    for (const word of ['resolved', 'RESOLVED', String(resolved), 'completed'])
      expect((await call('GET', `${base}/search?filters[status]=${word}`)).body.items[0].key).toBe(key)
  })
  it('shows deleted items only on request', async () => {
    const { id } = await report('Soon deleted')
    await call('DELETE', `${base}/${id}`, {})
    const found = async (query: string) =>
      (await call('GET', `${base}/search?filters[search]=Soon deleted&${query}`)).body.total
    expect([await found(''), await found('withDeleted=true'), await found('deletedOnly=true')]).toEqual([0, 1, 1])
    expect((await call('POST', `${base}/${id}/restore`, {})).status).toBe(200)
    expect(await found('')).toBe(1)
  })
  it('finds keys, and words of comments', async () => {
    const { id, key } = await report('Nameless')
    await call('POST', `${base}/${id}/comment`, { body: 'A heisenbug of the scheduler' })
    expect((await call('GET', `${base}?search=${key.toLowerCase()}`)).body.items[0].id).toBe(id)
    expect((await call('GET', `${base}?text=heisenbug`)).body.items.map((one: { id: number }) => one.id)).toEqual([id])
  })
  it('does not find changed or removed words, and finds words of deleted items on request', async () => {
    const { id } = await report('Quokkas', { description: 'eat wombats' })
    const { id: said } = (await call('POST', `${base}/${id}/comment`, { body: 'Not numbats' })).body
    const found = async (text: string, more = '') => (await call('GET', `${base}?text=${text}${more}`)).body.total
    expect([await found('wombats'), await found('quokkas numbats'), await found('wombats bilbies')]).toEqual([1, 1, 0])
    await call('PATCH', `${base}/${id}`, { description: 'eat bilbies' })
    await call('PATCH', `${base}/talk/${said}`, { body: 'Not dunnarts' })
    expect([await found('wombats'), await found('numbats'), await found('dunnarts bilbies')]).toEqual([0, 0, 1])
    await call('DELETE', `${base}/talk/${said}`, {})
    expect([await found('dunnarts')]).toEqual([0])
    await call('DELETE', `${base}/${id}`, {})
    expect([await found('bilbies'), await found('bilbies', '&withDeleted=true')]).toEqual([0, 1])
  })
  it('finds words of imported items', async () => {
    await call('POST', `${base}/import`, { text: 'Title,Description\nImported,Full of platypuses' })
    expect((await call('GET', `${base}?text=platypuses`)).body.total).toBe(1)
  })
  it('of archived tickets contains completed ones', async () => {
    const ticket = await report('Done', {}, tickets)
    const completed = await status('Completed', '/api/internal-tickets/settings/statuses')
    await call('PATCH', `${tickets}/${ticket.id}/status`, { statusId: completed })
    for (const word of ['Completed', 'completed', 'COMPLETED'])
      expect((await call('GET', `${tickets}?status=${word}`)).body.items[0].key).toBe(ticket.key)
  })
})

describe('two people on one item', () => {
  it('get a 409 with the stored item if their version is outdated', async () => {
    const { id, version } = await report('Contested')
    expect((await call('PATCH', `${base}/${id}`, { title: 'Mine', version })).status).toBe(200)
    const late = await call('PATCH', `${base}/${id}`, { title: 'Theirs', version })
    expect([late.status, late.body.current.title]).toEqual([409, 'Mine'])
    const { items } = (await call('GET', `${base}/${id}/history`)).body
    expect(items[0]).toMatchObject({ field: 'title', before: 'Contested', after: 'Mine' })
  })
})

describe('links', () => {
  it('refuse a cycle of blocks, a link to the item itself, and a second relation of a pair', async () => {
    const [a, b, c] = [await report('A'), await report('B'), await report('C')]
    const blocks = (from: { id: number }, to: { key: string }, kind = 'blocks') =>
      call('POST', `${base}/${from.id}/links`, { kind, targetKey: to.key })
    expect((await blocks(a, b)).status).toBe(201)
    expect((await blocks(b, c)).status).toBe(201)
    expect((await blocks(c, a)).status).toBe(422)
    expect((await blocks(a, a)).status).toBe(422)
    expect((await blocks(a, b)).status).toBe(409)
    expect((await blocks(a, b, 'relates')).status).toBe(201)
    expect((await blocks(b, a, 'relates')).status).toBe(409)
  })
  it('mark a ticket as a duplicate only with the permission of its status, because the ticket may be cancelled', async () => {
    const [first, second] = [await report('First', {}, tickets), await report('Second', {}, tickets)]
    const scopes = ['internal-ticket:ticket:read', 'internal-ticket:ticket:update']
    const { token } = await t.somebody(scopes)
    const merge = (as: string, of: number | null) =>
      t.call('POST', `${tickets}/${second.id}/duplicate`, { token: as, body: { of } })
    const denied = { status: 403, body: { scopes: ['internal-ticket:ticket:status'] } }
    expect(await merge(token, first.id)).toMatchObject(denied)
    const { token: able } = await t.somebody([...scopes, 'internal-ticket:ticket:status'])
    expect((await merge(able, first.id)).body.duplicateOf.key).toBe(first.key)
    expect(await merge(token, null)).toMatchObject(denied)
  })
  it('merge a duplicate into the original, never into itself', async () => {
    const [first, second, third] = [await report('First'), await report('Second'), await report('Third')]
    const merge = (from: { id: number }, of: number) => call('POST', `${base}/${from.id}/duplicate`, { of })
    expect((await merge(first, first.id)).status).toBe(422)
    expect((await merge(second, first.id)).body).toMatchObject({ status: { group: 'cancelled' } })
    expect((await merge(third, second.id)).body.duplicateOf.key).toBe(first.key)
    expect((await merge(first, third.id)).status).toBe(422)
    const undone = await call('POST', `${base}/${third.id}/duplicate`, { of: null })
    expect(undone.body).toMatchObject({ duplicateOf: null, status: { name: 'New' } })
  })
})

describe('joints', () => {
  it('a reopened or restored item loses an assignee who was deleted meanwhile', async () => {
    const leaver = await t.somebody(['bug-report:bug:read'])
    const closed = await status('Closed')
    const at = async (title: string, more = {}) => report(title, { assigneeId: leaver.id, ...more })
    const [done, gone, stays] = [
      await at('Was done', { statusId: closed }),
      await at('Was gone'),
      await at('Kept', { statusId: closed }),
    ]
    await call('DELETE', `${base}/${gone.id}`, {})
    await call('DELETE', '/api/auth/users', { id: leaver.id })
    const reopened = await call('PATCH', `${base}/${done.id}`, { statusId: await status('Triaged') })
    expect([reopened.status, reopened.body.assignee]).toEqual([200, null])
    expect((await call('POST', `${base}/${gone.id}/restore`, {})).body.assignee).toBe(null)
    const fields = (await call('GET', `${base}/${gone.id}/history`)).body.items.map(
      (one: { field: string }) => one.field,
    )
    expect(fields).toEqual(expect.arrayContaining(['assignee', 'deleted']))
    expect((await call('PATCH', `${base}/${stays.id}`, { title: 'Still kept' })).body.assignee).toMatchObject({
      id: leaver.id,
    })
  })
  it('a duplicate of a deleted item gets no further duplicates, and its link shows the deletion', async () => {
    const [first, second, third] = [await report('Origin'), await report('Copy'), await report('Late copy')]
    await call('POST', `${base}/${second.id}/duplicate`, { of: first.key })
    await call('DELETE', `${base}/${first.id}`, {})
    const refused = await call('POST', `${base}/${third.id}/duplicate`, { of: second.key })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['of']])
    const links = async () => (await call('GET', `${base}/${second.id}`)).body.links
    expect(await links()).toMatchObject([{ kind: 'duplicate', isGone: true }])
    await call('POST', `${base}/${first.id}/restore`, {})
    expect(await links()).toMatchObject([{ kind: 'duplicate', isGone: false }])
    expect((await call('POST', `${base}/${third.id}/duplicate`, { of: second.key })).body.duplicateOf.key).toBe(
      first.key,
    )
  })
  it('comments and changes are paged, the latest first', async () => {
    const { id } = await report('Much said')
    for (const n of [1, 2, 3]) await call('POST', `${base}/${id}/comment`, { body: `word ${n}` })
    const page = async (after = '') =>
      (await call('GET', `${base}/${id}/comment?desc=true&itemsPerPage=2${after && `&after=${after}`}`)).body
    const first = await page()
    expect(first.items.map((one: { body: string }) => one.body)).toEqual(['word 3', 'word 2'])
    const last = await page(first.next)
    expect([last.items.map((one: { body: string }) => one.body), last.next]).toEqual([['word 1'], undefined])
  })
})

describe('settings', () => {
  it('that are in use need a replacement, and items get its group', async () => {
    const path = `${base}/status`
    const { body: odd } = await call('POST', path, { name: 'Odd', group: 'open' })
    const { id } = await report('Has it', { statusId: odd.id })
    const refused = await call('DELETE', `${path}/${odd.id}`, {})
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['replacementId']])
    expect(refused.body.message).toBe('1 item uses Odd: choose a replacement')
    const closed = await status('Closed')
    expect((await call('DELETE', `${path}/${odd.id}`, { replacementId: closed })).status).toBe(204)
    const { body } = await call('GET', `${base}/${id}`)
    expect([body.status.name, body.status.group]).toEqual(['Closed', 'completed'])
  })
  it('that reopen items remove them from the archive, and remove deleted assignees', async () => {
    const path = `${base}/status`
    const leaver = await t.somebody(['bug-report:bug:read'])
    const { body: over } = await call('POST', path, { name: 'Over', group: 'completed' })
    const { body: past } = await call('POST', path, { name: 'Past', group: 'completed' })
    const archived = async (statusId: number) => {
      const { id } = await report('Archived', { statusId, assigneeId: leaver.id })
      await call('POST', `${base}/${id}/archive`, {})
      return id
    }
    const [one, two] = [await archived(over.id), await archived(past.id)]
    await t.app.db.execute(sql`update users set deleted_at = now() where user_id = ${leaver.id}`)
    await call('PATCH', `${path}/${over.id}`, { group: 'in-progress' })
    await call('DELETE', `${path}/${past.id}`, { replacementId: await status('Triaged') })
    for (const id of [one, two])
      expect((await call('GET', `${base}/${id}`)).body).toMatchObject({
        ...{ archivedAt: null, completedAt: null, assignee: null },
      })
  })
  it('cannot be used as settings of another kind', async () => {
    const priority = (await call('GET', `${base}/priority`)).body.items[0].id
    expect((await call('GET', `${base}/status/${priority}`)).status).toBe(404)
    expect((await call('POST', base, { title: 'Odd', statusId: priority })).status).toBe(422)
  })
})

describe('files', () => {
  const send = (id: number, name: string, bytes: Buffer) => {
    const { payload, type } = bodyWith(bugs.attach, {}, bytes)
    const raw = Buffer.from((payload as Buffer).toString('latin1').replace('a.png', name), 'latin1')
    return t.call('POST', `${base}/${id}/files`, { token, raw, type })
  }
  it('with a false type are refused, others are attached', async () => {
    const { id } = await report('With files')
    expect((await send(id, 'a.png', Buffer.from('<svg xmlns="x"><script>1</script></svg>'))).status).toBe(422)
    expect((await send(id, 'a.pdf', Buffer.from('just text'))).status).toBe(422)
    const { status: code, body } = await send(id, 'log.txt', Buffer.from('just text'))
    expect([code, body[0].name]).toEqual([201, 'log.txt'])
    expect((await call('GET', `${base}/${id}/files/${body[0].id}`, undefined, reader.token)).body).toBe('just text')
    await call('PATCH', `${base}/file-config`, { maxFiles: 1 })
    expect((await send(id, 'more.txt', Buffer.from('more'))).status).toBe(422)
  })
})

it('archives closed items only, and restores them', async () => {
  const { id } = await report('Open')
  expect((await call('POST', `${base}/${id}/archive`, {})).status).toBe(422)
  await call('PATCH', `${base}/${id}`, { statusId: await status('Closed') })
  expect((await call('POST', `${base}/${id}/archive`, {})).status).toBe(200)
  expect((await call('GET', `${base}/archive`)).body.items[0].id).toBe(id)
  expect((await call('DELETE', `${base}/${id}/archive`)).body.archivedAt).toBe(null)
})

it('notifies voters of a release, but nobody who may not see the item', async () => {
  const path = '/api/bug-report/features'
  const { id } = await report('Wanted', {}, path)
  await call('POST', `${path}/${id}/vote`, {}, reader.token)
  expect((await call('GET', `${path}/${id}`)).body.votes).toBe(1)
  await call('PATCH', `${path}/${id}`, { statusId: await status('Released', `${path}/status`) })
  const { body } = await call('GET', '/api/employee-controller/notifications', undefined, reader.token)
  expect(body.items[0].body).toBe('Released: Released.')
  const mention = await call('POST', `${path}/${id}/comment`, { body: '@stranger', mentions: [stranger] })
  expect([mention.status, Object.keys(mention.body.fields)]).toEqual([422, ['mentions']])
  const note = await call('GET', `${path}/release-note?dateFrom=2000-01-01`)
  expect(note.body.text).toContain('**Wanted**')
})

it('creates and imports tickets with an assignee or another status only for people with these permissions', async () => {
  const tickets = '/api/internal-tickets/tickets'
  const writer = await t.somebody(['internal-ticket:ticket:create', 'internal-ticket:ticket:read'], 'writer')
  const { items } = (await call('GET', '/api/internal-tickets/settings/statuses')).body
  const other = items.find(({ isDefault }: { isDefault: boolean }) => !isDefault)
  const statusOf = async (path: string, body: object) => (await call('POST', path, body, writer.token)).status
  const ticket = { title: 'Printer', description: 'Jams' }
  expect(await statusOf(tickets, { ...ticket, statusId: other.id })).toBe(403)
  expect(await statusOf(tickets, { ...ticket, assigneeId: writer.id })).toBe(403)
  expect(await statusOf(`${tickets}/import`, { text: `Title,Status\nPrinter,${other.name}` })).toBe(403)
  expect(await statusOf(`${tickets}/import`, { text: 'Title,Assignee\nPrinter,writer' })).toBe(403)
  expect(await statusOf(`${tickets}/import`, { text: 'Title\nPrinter' })).toBe(200)
})

it('imports another tracker’s file, and reports what it left out', async () => {
  const text = 'Summary;State;Owner;Due\n"Two\nlines";New;nobody;2026-12-01\n;New;;\nLate;Odd;reader;someday'
  const dry = (await call('POST', `${base}/import`, { text, isDryRun: true })).body
  expect(dry).toMatchObject({ added: 1, leftOut: 2, refused: [{ line: 4 }, { line: 5 }] })
  const odd = (await call('POST', `${base}/import`, { text: 'Title,Due\nA,Sprint 12\nB,03/04/2026', isDryRun: true }))
    .body
  expect(odd).toMatchObject({ added: 0, refused: [{ line: 2 }, { line: 3 }] })
  expect(dry.unknown).toEqual([{ field: 'assignee', value: 'nobody', lines: 1 }])
  await call('POST', `${base}/import`, { text })
  const found = (await call('GET', `${base}?search=Two lines`)).body.items[0]
  expect(found).toMatchObject({ dueOn: '2026-12-01', status: { name: 'New' }, assignee: null })
})

it('loses nothing of an imported file: long texts continue, and an open quote is refused with its line', async () => {
  const [title, description, comment] = ['T'.repeat(250), 'D'.repeat(60_000), 'C'.repeat(45_000)]
  const text = `sep=;\nTitle;Description;Comment\n${title};${description};${comment}`
  const { body } = await call('POST', `${base}/import`, { text })
  expect(body).toMatchObject({
    added: 1,
    continued: ['title', 'description', 'comment'].map((field) => ({ field, lines: 1 })),
  })
  const { id } = (await call('GET', `${base}?search=${'T'.repeat(100)}`)).body.items[0]
  const { body: item } = await call('GET', `${base}/${id}`)
  expect(item.title).toBe('T'.repeat(200))
  const { items: said } = (await call('GET', `${base}/${id}/comment?take=50`)).body
  const all = `${item.description}${said.map((one: { body: string }) => one.body).join('')}`
  const count = (sign: string) => all.split(sign).length - 1
  expect([count('T'), count('D'), count('C')]).toEqual([50, 60_000, 45_000])
  expect(await call('POST', `${base}/import`, { text: 'Title,Status\n"Open,New\n"Next",New' })).toMatchObject({
    status: 422,
    body: { fields: { text: 'The quote in line 2 is not closed: close it in the file' } },
  })
})

it('reads the order of day and month from the file, or as people say', async () => {
  const days = async (text: string, dayOrder?: string) => {
    const { body } = await call('POST', `${base}/import`, {
      text: `Title,Due,Created\n${text}`,
      isDryRun: true,
      ...(dayOrder && { dayOrder }),
    })
    return [body.added, body.refused.map(({ reason }: { reason: string }) => reason)]
  }
  expect(await days('A,12/31/2026,11/21/2026 09:05 AM\nB,03/04/2026,')).toEqual([2, []])
  expect(await days('A,03/04/2026,')).toEqual([0, ['03/04/2026: say whether the day or the month comes first']])
  expect(await days('A,03/04/2026,', 'day-first')).toEqual([1, []])
  expect(await days('A,12/31/2026,\nB,31/12/2026,')).toEqual([
    0,
    [
      '12/31/2026: say whether the day or the month comes first',
      '31/12/2026: say whether the day or the month comes first',
    ],
  ])
})

it('cancels items that were closed undone, reads estimates, and assigns the first of several people', async () => {
  const github = `number,title,state,state_reason,assignees
17,Never wanted,CLOSED,NOT_PLANNED,"reader,stranger"
18,Well done,CLOSED,COMPLETED,`
  const hours = '#;Subject;Status;Estimated time\n4;Half;New;2,50\n5;Clock;New;1:30\n6;Odd;New;soon'
  const jira = 'Summary,Status,Resolution,Original Estimate\nTwice,Done,Duplicate,7200'
  for (const text of [github, hours, jira]) await call('POST', `${base}/import`, { text })
  const one = async (title: string) => (await call('GET', `${base}?search=${title}`)).body.items[0]
  expect(await one('Never wanted')).toMatchObject({ status: { group: 'cancelled' }, assignee: { id: reader.id } })
  expect(await one('Well done')).toMatchObject({ status: { group: 'completed' } })
  expect(await one('Twice')).toMatchObject({ status: { name: 'Will not fix' }, estimateMinutes: 120 })
  expect([(await one('Half')).estimateMinutes, (await one('Clock')).estimateMinutes]).toEqual([150, 90])
  const dry = (await call('POST', `${base}/import`, { text: `${github}\n19,,open,,`, known: 'add', isDryRun: true }))
    .body
  expect(dry.unknown).toEqual([{ field: 'assignee', value: 'stranger: an item has one assignee', lines: 1 }])
  const refused = (await call('POST', `${base}/import`, { text: hours, known: 'add', isDryRun: true })).body.refused
  expect(refused).toEqual([{ line: 4, reason: 'soon is not an estimate' }])
})

it('translates words of another tracker, keeps key and comments, and assigns only people with permission', async () => {
  const text = `Issue key,Summary,Status,Priority,Assignee,Created,Resolved,Comment,Comment
WEB-71,Done there,Done,Highest,stranger,24/Nov/25 8:32 AM,25/Nov/25 9:00 AM,first,second
WEB-72,Left there,Won't Do,Lowest,reader,24/Nov/25,,,`
  const { body } = await call('POST', `${base}/import`, { text })
  expect(body).toMatchObject({
    added: 2,
    mapped: [
      { field: 'status', value: 'Done', as: 'Resolved', lines: 1 },
      { field: 'priority', value: 'Highest', as: 'Critical', lines: 1 },
      { field: 'status', value: "Won't Do", as: 'Will not fix', lines: 1 },
      { field: 'priority', value: 'Lowest', as: 'Low', lines: 1 },
    ],
    unknown: [{ field: 'assignee', value: 'stranger, who may not see bugs', lines: 1 }],
  })
  const [done] = (await call('GET', `${base}?text=WEB-71`)).body.items
  expect(done).toMatchObject({ comments: 2, assignee: null, createdAt: '2025-11-24T08:32:00.000Z' })
  expect(done.completedAt).toBe('2025-11-25T09:00:00.000Z')
  expect((await call('GET', `${base}?text=second Done`)).body.items).toHaveLength(1)
  const [left] = (await call('GET', `${base}?text=WEB-72`)).body.items
  expect(left.assignee.id).toBe(reader.id)
  const { watchers } = (await call('GET', `${base}/${left.id}`)).body
  expect(watchers.map(({ id }: { id: number }) => id)).toContain(reader.id)
  expect(watchers.map(({ id }: { id: number }) => id)).not.toContain(stranger)
})

it('changes several items and reports which it left out', async () => {
  const [one, gone] = [await report('Bulk one'), await report('Bulk gone')]
  await call('DELETE', `${base}/${gone.id}`, {})
  const { body } = await call('POST', `${base}/bulk`, { ids: [one.id, gone.id], statusId: await status('Triaged') })
  expect(body).toMatchObject({ changed: 1, skipped: [{ key: gone.key }] })
  const columns = (await call('GET', `${base}/board?search=Bulk`)).body.columns as {
    status: { name: string }
    total: number
  }[]
  expect(columns.find((column) => column.status.name === 'Triaged')?.total).toBe(1)
})

it('opens a ticket for another domain', async () => {
  const { app } = t
  const by = { id: reader.id, name: 'Reader' }
  const made = await app.db.transaction((tx) => openInternalTicket(tx, { title: 'From an audit', by }))
  expect(await statesOfTickets(app.db, [made.id])).toMatchObject([{ key: made.key, status: 'Open', group: 'open' }])
})
