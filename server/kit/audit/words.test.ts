import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { rows } from '../db/db.ts'
import { folder, journal } from '../db/migrations.ts'
import { brokenSeal, sealNext } from './seal.ts'
import { isWorded, withoutWords } from './words.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

it('keeps states and names of staff, and replaces each other text by its length', () => {
  const row = {
    ...{ id: 3, status: 'open', subject: 'Gold', agents: [{ id: 2, name: 'Mari' }], files: [{ name: 'gold.pdf' }] },
    ...{ createdAt: '2026-11-20T10:00:00.000Z', notes: ['Gold', ''], score: 80, answer: null },
  }
  expect(withoutWords(row)).toEqual({
    ...{ ...row, subject: '(4 characters)', files: [{ name: '(8 characters)' }], notes: ['(4 characters)', ''] },
  })
})
it('is about conversations and dossiers, not about the settings of quality', () => {
  const worded = ['chat', 'escalation', 'tag', 'score-type', 'manager'].filter((resource) =>
    isWorded({ service: 'qa', resource }),
  )
  expect(worded).toEqual(['chat', 'escalation'])
  expect(isWorded({ service: 'qcMine', resource: null })).toBe(true)
})

it('removes the words of sealed rows; the chain stays whole, and a later change is found', async () => {
  const { db } = t.app
  await db.execute(sql`drop table action_log_cuts`) // as before the migration
  const write = (service: string, resource: string | null, after: unknown) =>
    db.execute(sql`insert into action_logs (staff_name, service, action, resource, subject, result, after)
      values ('Ingrid', ${service}, 'update', ${resource}, 'Gold of Nora', 'success', ${JSON.stringify(after)}::jsonb)`)
  await write('website', 'website', { domain: 'gold.example' })
  await write('qa', 'escalation', { id: 1, status: 'open', reason: 'Gold of Nora', assignee: { id: 2, name: 'Mari' } })
  await write('qa', 'tag', { id: 1, name: 'Refund' })
  await write('qa', 'manager', { id: 4, name: 'Help desk', config: { url: 'https://desk.example' } })
  await write('qa', 'manager', { id: 5, title: 'Gold of Nora', kind: 'chat' })
  await write('qcMine', null, { type: 'dispute', content: ['Gold of Nora', { answer: 'Gold' }] })
  await write('dossier', 'comment', { content: 'Gold of Nora', on: 'dossier' })
  await write('dossier', 'dossier', { subjectName: 'Mari', reason: 'Asked for it' })
  await sealNext(db)
  expect(await brokenSeal(db)).toBeUndefined() // a schema without the table of cuts

  await migrateAgain('_log_words')
  expect(await brokenSeal(db)).toBeUndefined()
  expect(await sealNext(db)).toBe(1) // the record of the removal
  expect(await brokenSeal(db)).toBeUndefined()
  const found = await rows<{ resource: string; subject: string; after: unknown }>(
    db,
    sql`select coalesce(resource, service) as resource, subject, after from action_logs order by action_log_id`,
  )
  const shown = Object.fromEntries(found.map(({ resource, subject, after }) => [`${resource} ${subject}`, after]))
  expect(shown).toMatchObject({
    'website Gold of Nora': { domain: 'gold.example' },
    'escalation null': { status: 'open', reason: '(12 characters)', assignee: { name: 'Mari' } },
    'tag Gold of Nora': { name: 'Refund' },
    'manager Gold of Nora': { name: 'Help desk', config: { url: 'https://desk.example' } },
    'manager null': { title: '(12 characters)', kind: 'chat' },
    'qcMine null': { type: 'dispute', content: ['(12 characters)', { answer: '(4 characters)' }] },
    'dossier Gold of Nora': { subjectName: 'Mari', reason: 'Asked for it' },
    'action-log null': { rows: 4, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })

  const tampered = async (change: SQL, undo: SQL) => {
    await tamper(change)
    const broken = await brokenSeal(db)
    await tamper(undo)
    expect(await brokenSeal(db)).toBeUndefined()
    return broken
  }
  const result = (name: string) => sql`update action_logs set result = ${name} where resource = 'escalation'`
  expect(await tampered(result('denied'), result('success'))).toMatchObject({ position: 2, reason: 'altered' })
  const rest = sql`update action_log_cuts set rest = 'x' || rest where action_log_id = 2`
  const back = sql`update action_log_cuts set rest = substr(rest, 2) where action_log_id = 2`
  expect(await tampered(rest, back)).toMatchObject({ position: 2, reason: 'altered' })
  // another row is declared cut under the same record
  const declare = sql`insert into action_log_cuts select 1, record_id, repeat('0', 64) from action_log_cuts limit 1`
  expect(await tampered(declare, sql`delete from action_log_cuts where action_log_id = 1`)).toMatchObject({
    ...{ position: 2, reason: 'altered' },
  })
  await expect(db.execute(sql`delete from action_log_cuts`)).rejects.toThrow()
})

it('removes personal fields, notices, saved views and scores of sealed rows', async () => {
  const { db } = t.app
  const [last] = await rows<{ id: number }>(db, sql`select max(action_log_id)::int as id from action_logs`)
  const write = (service: string, resource: string | null, after: unknown, result = 'success') =>
    db.execute(sql`insert into action_logs (staff_name, service, action, resource, subject, result, after)
      values ('Ingrid', ${service}, 'update', ${resource}, 'Mari', ${result}, ${JSON.stringify(after)}::jsonb)`)
  await write('calendar', 'leave', { id: 1, days: 2, note: 'Hospital', message: '', status: 'approved' })
  await write('calendar', 'employee', {
    name: 'Mari',
    balances: 'Sick 9 days',
    adjustments: [{ days: 2, note: 'Hospital' }],
  })
  await write('calendar', 'leave', { error: 'Sick: 3 days left' }, 'failed')
  await write('calendar', 'national-event', { description: 'Independence day' })
  await write('shifts', 'swap', { note: 'Hospital', shift: { message: 'Hospital', start: 6 } })
  await write('shifts', 'shift', { error: 'Conflicts of the plan: wish' }, 'failed')
  await write('sms', 'message', { to: ['+372 555'], body: 'Hospital', parts: 1 })
  await write('sms', null, { number: '+372 555' })
  await write('sms', 'template', { body: 'Hello' })
  await write('employee', 'employee', { phone: '+372 555', birthDate: '1990-02-03', name: 'Mari' })
  await write('users', 'user', { email: 'mari@example.org', lastName: 'Tamm' })
  await write('views', 'view', { id: 3, name: 'Mine', query: { search: 'Hospital' } })
  await write('scrums', 'audit', {
    id: 4,
    name: 'March',
    status: 'draft',
    total: 81,
    items: [{ score: 81 }],
    summary: '',
  })
  await write('scrums', 'component', { id: 5, description: 'Tests' })
  while (await sealNext(db));
  await migrateAgain('_log_personal')
  await sealNext(db)
  expect(await brokenSeal(db)).toBeUndefined()
  const found = await rows<{ subject: string | null; after: unknown }>(
    db,
    sql`select subject, after from action_logs where action_log_id > ${last!.id} order by action_log_id`,
  )
  const hidden = '(hidden)'
  expect(found.map(({ after }) => after)).toEqual([
    { id: 1, days: 2, note: hidden, message: '', status: 'approved' },
    { name: 'Mari', balances: hidden, adjustments: hidden },
    { error: hidden },
    { description: 'Independence day' },
    { note: hidden, shift: { message: hidden, start: 6 } },
    { error: 'Conflicts of the plan: wish' },
    { to: hidden, body: hidden, parts: 1 },
    { number: hidden },
    { body: 'Hello' },
    { phone: hidden, birthDate: hidden, name: 'Mari' },
    { email: hidden, lastName: 'Tamm' },
    { id: 3, name: 'Mine', query: { search: '(8 characters)' } },
    { id: 4, name: 'March', status: 'draft', total: hidden, items: hidden, summary: '' },
    { id: 5, description: 'Tests' },
    { part: 0, rows: 10, from: expect.any(Number), to: expect.any(Number), digest: expect.any(String) },
  ])
  expect(found.filter(({ subject }) => subject === null)).toHaveLength(2) // the view, and the record of the removal
})

async function migrateAgain(name: string): Promise<void> {
  const { tag } = journal().entries.find((one) => one.tag.endsWith(name))!
  const statements = readFileSync(join(folder, `${tag}.sql`), 'utf8').split('--> statement-breakpoint')
  await t.app.db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement))
  })
}

async function tamper(change: SQL): Promise<void> {
  const triggers = async (are: 'enable' | 'disable') => {
    for (const table of ['action_logs', 'action_log_cuts'])
      await t.app.db.execute(sql.raw(`alter table ${table} ${are} trigger user`))
  }
  await triggers('disable')
  await t.app.db.execute(change)
  await triggers('enable')
}
