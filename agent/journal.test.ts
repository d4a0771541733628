import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Answer, Op } from '@innkeeper/contract/agent/door'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Journal, openJournal } from './journal.ts'

const folder = mkdtempSync(join(tmpdir(), 'innkeeper-journal-'))
let file = join(folder, 'none.db')
let opened: Journal[] = []
let count = 0

function open(): Journal {
  const journal = openJournal(file)
  opened.push(journal)
  return journal
}
const fresh = () => {
  file = join(folder, `${++count}.db`)
  return open()
}
/** Reopens the journal as after a crash: unsaved data is lost. */
const reopen = (journal: Journal) => {
  journal.close()
  opened = opened.filter((one) => one !== journal)
  return open()
}
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const op = (id: number, attempt = 1, input: Record<string, unknown> = {}): Op => ({
  id,
  attempt,
  name: 'server.inspect',
  subject: 's:1',
  lane: 'short',
  task: 'run',
  inspect: false,
  input,
})
const done = (id: number, attempt = 1): Answer => ({ id, attempt, status: 'done', output: { n: 1 } })

test('answers a repeat of an ended operation from the journal', () => {
  const journal = fresh()
  expect(journal.begin([op(1)]).fresh).toHaveLength(1)
  journal.end([done(1)])
  expect(journal.begin([op(1)])).toEqual({ fresh: [], answers: [done(1)] })
})

test('neither restarts nor answers a repeat of a running operation', () => {
  const journal = fresh()
  journal.begin([op(1)])
  expect(journal.begin([op(1)])).toEqual({ fresh: [], answers: [] })
})

test('treats the next attempt of an action as new work', () => {
  const journal = fresh()
  journal.begin([op(1)])
  journal.end([done(1)])
  expect(journal.begin([op(1, 2)]).fresh).toEqual([op(1, 2)])
})

test('answers unknown after a restart for operations that never ended', () => {
  const journal = fresh()
  journal.begin([op(1), op(2)])
  journal.end([done(2)])
  const left = reopen(journal).left()
  expect(left.find(({ id }) => id === 1)).toMatchObject({
    status: 'unknown',
    reason: expect.stringContaining('at work'),
  })
  expect(left.find(({ id }) => id === 2)).toEqual(done(2))
})

test('does not resend an acknowledged answer after a restart', () => {
  const journal = fresh()
  journal.begin([op(1), op(2)])
  journal.end([done(1), done(2)])
  journal.acknowledged([{ id: 1, attempt: 1 }])
  expect(reopen(journal).left()).toEqual([done(2)])
})

test('runs another operation with the same id instead of answering it from the past', () => {
  const journal = fresh()
  journal.begin([op(1, 1, { a: 1 })])
  journal.end([done(1)])
  expect(journal.begin([op(1, 1, { a: 2 })])).toEqual({ fresh: [op(1, 1, { a: 2 })], answers: [] })
})

test('keeps an operation in the journal after a kill right after begin', async () => {
  fresh().close()
  opened = []
  const program = `import { openJournal } from ${JSON.stringify(join(import.meta.dirname, 'journal.ts'))}
    openJournal(${JSON.stringify(file)}).begin([${JSON.stringify(op(9))}]); process.kill(process.pid, 'SIGKILL')`
  const ran = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  await expect(ran).rejects.toMatchObject({ signal: 'SIGKILL' })
  expect(open().left()).toMatchObject([{ id: 9, status: 'unknown' }])
})

test('deletes acknowledged operations after 30 days, and no others', () => {
  const journal = fresh()
  journal.begin([op(1), op(2)])
  journal.end([done(1), done(2)])
  journal.acknowledged([{ id: 1, attempt: 1 }])
  const days = (n: number) => new Date(Date.now() + n * 86_400_000)
  expect(journal.prune(days(29))).toBe(0)
  expect(journal.prune(days(31))).toBe(1)
  expect(journal.begin([op(2)]).answers).toEqual([done(2)])
})

test('saves the credential for enrolment before sending it', () => {
  const journal = fresh()
  const made = journal.pending()
  expect(made.length).toBeGreaterThanOrEqual(43)
  const again = reopen(journal)
  expect(again.pending()).toBe(made)
  expect(again.credential()).toBeUndefined()
  again.enrolled('pin 1')
  expect(again.credential()).toBe(made)
})

test('creates a new credential for a new enrolment, and keeps the old one until the new one is accepted', () => {
  const journal = fresh()
  const first = journal.pending()
  journal.enrolled('pin 1')
  const second = journal.pending()
  expect(second).not.toBe(first)
  expect(journal.credential()).toBe(first)
  journal.enrolled('pin 1')
  expect(journal.credential()).toBe(second)
})

test('starts with an empty journal for another control plane only', () => {
  const journal = fresh()
  journal.pending()
  journal.enrolled('pin 1')
  journal.begin([op(1)])
  journal.end([done(1)])
  journal.pending()
  journal.enrolled('pin 1')
  expect(journal.begin([op(1)]).answers).toEqual([done(1)])
  journal.pending()
  journal.enrolled('other 1')
  expect(journal.begin([op(1)]).fresh).toHaveLength(1)
})
