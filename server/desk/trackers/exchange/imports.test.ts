import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'

let t: TestApp
let token: string
const base = '/api/bug-report/bugs'
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `${base}${path}`, { token, ...(body !== undefined && { body }) })
const load = (text: string, more: object = {}) => call('POST', '/import', { text, ...more })
const one = async (title: string) => (await call('GET', `?search=${encodeURIComponent(title)}`)).body.items[0]
const fileOf = (name: string) => readFileSync(new URL(`./test/${name}`, import.meta.url), 'utf8')

beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  await t.somebody(['bug-report:bug:read'], 'reader')
})
afterAll(() => t.close())

describe('files of other trackers, in the form in which these export them,', () => {
  it.each([
    ['github.tsv', 'Sorting is slow', { status: { group: 'in-progress' } }],
    [
      'gitlab.csv',
      'Disk is full',
      {
        ...{ status: { group: 'open' }, dueOn: '2026-12-24', estimateMinutes: 120 },
        ...{ createdAt: '2026-11-02T08:15:00.000Z', reporter: { name: 'Some reader' } },
      },
    ],
    [
      'jira.csv',
      'Login loops',
      {
        ...{ status: { group: 'in-progress' }, priority: { name: 'High' }, assignee: { name: 'Some reader' } },
        ...{ dueOn: '2025-12-12', estimateMinutes: 120, comments: 2 },
      },
    ],
    [
      'redmine.csv',
      'Backup stops',
      {
        ...{ priority: { name: 'Critical' }, dueOn: '2026-12-31', estimateMinutes: 150 },
        ...{ createdAt: '2026-11-20T16:30:00.000Z', assignee: { name: 'Some reader' } },
      },
    ],
    [
      'openproject.csv',
      'Move the archive',
      { status: { group: 'in-progress' }, dueOn: '2026-12-18', estimateMinutes: 480, priority: { name: 'High' } },
    ],
    [
      'linear.csv',
      'Cache forgets',
      {
        ...{ priority: { name: 'Critical' }, dueOn: '2026-12-20', estimateMinutes: null },
        ...{ createdAt: '2026-03-12T09:05:00.000Z', status: { group: 'in-progress' } },
      },
    ],
  ])('%s, are read, and known when they come again', async (name, title, wanted) => {
    const text = fileOf(name)
    const first = await load(text, { name })
    expect(first.body).toMatchObject({ added: 2, known: 0, leftOut: 0 })
    expect(await one(title)).toMatchObject(wanted)
    const again = await load(text, { name })
    expect(again.body).toMatchObject({ added: 0, updated: 0, known: 2, importId: null })
  })
})

describe('an import', () => {
  it('updates known items if that is chosen, and our own by their key; a key stands once in a file', async () => {
    await load('Key,Title,Priority\nUPD-1,First words,Low')
    const item = await one('First words')
    const file = 'Key,Title,Priority,Assignee\nupd-1,Other words,High,\nUPD-1,Twice,,\nUPD-2,New one,,'
    const { body } = await load(file, { known: 'update' })
    expect(body).toMatchObject({ added: 1, updated: 1, known: 0, leftOut: 1 })
    expect(body.refused).toEqual([{ line: 3, reason: 'UPD-1 is in line 2 already' }])
    expect(await one('Other words')).toMatchObject({ id: item.id, priority: { name: 'High' } })
    const own = await load(`Key,Title\n${item.key},Our own words`, { known: 'update' })
    expect(own.body).toMatchObject({ added: 0, updated: 1 })
    expect((await call('GET', `/${item.id}`)).body).toMatchObject({
      title: 'Our own words',
      description: 'Imported from UPD-1',
    })
    expect((await load('Key,Title\nUPD-1,Once more', { known: 'add' })).body).toMatchObject({ added: 1, known: 0 })
  })
  it('reads a file of our own back as it was, without the apostrophes that keep spreadsheets from calculating', async () => {
    const made = { title: '=Signs', description: '- one\n- two; =3\n\n"+4"' }
    const { id } = (await call('POST', '', made)).body
    const file = (await call('GET', '/csv?search=Signs')).body
    expect(file).toContain("\"'- one\n'- two;' =3\n\n'\"\"+4")
    const { body } = await load(file, { known: 'update' })
    expect(body).toMatchObject({ added: 0, leftOut: 0 })
    expect((await call('GET', `/${id}`)).body).toMatchObject(made)
  })
  it('gives no item the status of a duplicate, because a file does not say of what', async () => {
    const { body } = await load('Key,Title,Status\nDUP-1,Twice told,Duplicate')
    expect(body.mapped).toEqual([{ field: 'status', value: 'Duplicate', as: 'Will not fix', lines: 1 }])
    expect(await one('Twice told')).toMatchObject({ status: { name: 'Will not fix' }, duplicateOf: null })
    const [told, first] = [await one('Twice told'), (await call('POST', '', { title: 'Told first' })).body]
    await call('PATCH', `/${told.id}`, { statusId: first.status.id })
    await call('POST', `/${told.id}/duplicate`, { of: first.id })
    await load('Key,Title,Status\nDUP-1,Told twice,Duplicate', { known: 'update' })
    expect(await one('Told twice')).toMatchObject({ status: { name: 'Duplicate' }, duplicateOf: { id: first.id } })
  })
  it('knows people by either of two columns, reports the second of two values, and reads days of eight hours', async () => {
    const text =
      'Title,Assignee,Assignee Username,Component,Component,Work\nTwo columns,Nobody known,reader,Left,Right,1d 4h'
    const { body } = await load(text)
    expect(body.unknown).toEqual([
      { field: 'component', value: 'Right: an item has one component', lines: 1 },
      { field: 'component', value: 'Left', lines: 1 },
    ])
    expect(await one('Two columns')).toMatchObject({ assignee: { name: 'Some reader' }, estimateMinutes: 720 })
  })
  it('keeps the text of a second column of a field, and reports other second values', async () => {
    const { body } = await load('Title,Summary,Due,Due date\nIn short,In many words,2026-12-01,2026-12-24')
    expect(body.unknown).toEqual([{ field: 'due', value: '2026-12-24: an item has one due', lines: 1 }])
    const item = await one('In short')
    expect(item.dueOn).toBe('2026-12-01')
    expect((await call('GET', `/${item.id}`)).body.description).toBe('Summary: In many words')
  })
  it('of one file that comes twice at once adds each item once', async () => {
    const text = 'Key,Title\nTWO-1,Comes once\nTWO-2,Comes once as well'
    const done = await Promise.all([load(text), load(text), load(text)])
    expect(done.map(({ body }) => [body.added, body.known]).toSorted()).toEqual([
      [0, 2],
      [0, 2],
      [2, 0],
    ])
    expect((await call('GET', '?search=Comes once')).body.total).toBe(2)
  })
  it('changes only what differs, and can be undone after a later import of the same items was undone', async () => {
    const first = (await load('Key,Title\nLAY-1,As it was\nLAY-2,Stays')).body
    const second = (await load('Key,Title\nLAY-1,As it became\nLAY-2,Stays', { known: 'update' })).body
    expect(second).toMatchObject({ added: 0, updated: 1, known: 1 })
    expect((await call('POST', `/imports/${second.importId}/undo`, {})).body).toMatchObject({ undone: 1, kept: [] })
    expect(await one('As it was')).toMatchObject({ title: 'As it was' })
    expect((await call('POST', `/imports/${first.importId}/undo`, {})).body).toMatchObject({ undone: 2, kept: [] })
  })
  it('takes the columns that people choose, and shows a file without titles in a dry run', async () => {
    const text = 'What,When,Who\nPaint the rack,2026-12-01,reader'
    const dry = await load(text, { isDryRun: true })
    expect(dry.body).toMatchObject({
      ...{ hasTitle: false, added: 0 },
      columns: [{ heading: 'What', field: null, sample: 'Paint the rack' }, { field: null }, { field: null }],
    })
    expect((await load(text)).status).toBe(422)
    expect((await load(text, { columns: ['title'] })).body.fields.columns).toBe('The file has 3 columns, not 1')
    expect((await load(text, { columns: ['title', 'due', null] })).body).toMatchObject({ added: 1 })
    expect(await one('Paint the rack')).toMatchObject({ dueOn: '2026-12-01', assignee: null })
  })
  it('refuses thousands of columns, and lines with more cells than headings', async () => {
    const wide = Array.from({ length: 5000 }, (_, n) => `c${n}`).join(',')
    const { status, body } = await load(`Title,${wide}\nA,1`)
    expect([status, body.fields.text]).toEqual([422, expect.stringContaining('Line 1 has more than 200 columns')])
    const long = await load(`Title\nA\n${Array.from({ length: 300 }, () => 1).join(',')}`)
    expect(long.body.fields.text).toContain('Line 3 has more than 200 columns')
    const more = await load('Title,Due\nGood,2026-12-01,\nBad,2026-12-01,lost', { isDryRun: true })
    expect(more.body).toMatchObject({ added: 1, refused: [{ line: 3, reason: '3 cells stand under 2 headings' }] })
  })
  it('refuses a file of 40 MB by its length, and one above the limit beside the field', async () => {
    const big = await load(`Title\n${'A line of forty letters, more or less...\n'.repeat(1_000_000)}`)
    expect([big.status, big.body.code]).toEqual([413, 'too-large'])
    const long = await load(`Title\n${'x'.repeat(4_000_000)}`)
    expect([long.status, long.body.fields.text]).toEqual([400, expect.stringContaining('import the file in parts')])
    expect((await load('Title\nAfter the big one')).body).toMatchObject({ added: 1 })
  })
  it('is undone as one act: changed items stay and are named, deleted values are replaced', async () => {
    const status = (await call('POST', '/status', { name: 'Soon gone', group: 'open' })).body
    const [kept, usual] = [(await call('POST', '', { title: 'Was here', statusId: status.id })).body, 'New']
    const text = `Key,Title,Status\nUND-1,Stays,${usual}\nUND-2,Goes,${usual}\nUND-3,Spoken of,${usual}\n${kept.key},Overwritten,${usual}`
    const { body } = await load(text, { known: 'update', name: 'undo.csv' })
    expect(body).toMatchObject({ added: 3, updated: 1 })
    await call('PATCH', `/${(await one('Stays')).id}`, { description: 'By hand' })
    await call('POST', `/${(await one('Spoken of')).id}/comment`, { body: 'Seen' })
    await call('DELETE', `/status/${status.id}`, { replacementId: (await one('Goes')).status.id })
    const page = (await call('GET', `/imports/${body.importId}`)).body
    expect(page.import).toMatchObject({ name: 'undo.csv', added: 3, updated: 1, undoneAt: null })
    expect(page.items.map((item: { title: string; isChanged: boolean }) => [item.title, item.isChanged])).toEqual([
      ['Overwritten', false],
      ['Stays', true],
      ['Goes', false],
      ['Spoken of', true],
    ])
    const goes = await one('Goes')
    const undone = (await call('POST', `/imports/${body.importId}/undo`, {})).body
    expect(undone).toMatchObject({ undone: 2, replaced: [{ id: kept.id, field: 'status' }] })
    expect(undone.kept).toHaveLength(2)
    expect((await call('GET', `/${kept.id}`)).body).toMatchObject({ title: 'Was here' })
    expect((await call('GET', `?search=${goes.key}`)).body.total).toBe(0)
    expect((await call('POST', `/imports/${body.importId}/undo`, {})).status).toBe(409)
    expect((await call('GET', '/imports')).body.items[0]).toMatchObject({ undoneAt: expect.any(String) })
    // the same file again: what the undo deleted is new
    expect((await load(text)).body).toMatchObject({ added: 1, known: 3 })
  })
})
