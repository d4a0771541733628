import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import type { TicketTarget } from './tickets.ts'
import { ticketsUnder } from './tickets.ts'

const tickets = ticketsUnder('a key')
const file = { path: '/api/backups/backups/1/download', query: { path: '/etc/hosts' } }
let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
afterEach(() => vi.useRealTimers())
const open = (ticket: string, target: TicketTarget = file, under = tickets) => under.open(t.app.db, ticket, target)
const none = { message: 'No such file' }

it('a ticket is valid for its session and target, under its key', async () => {
  const { ticket } = tickets.issue(file, 'session-1')
  for (const other of [
    { ...file, path: `${file.path}d` },
    { path: file.path },
    { ...file, isRecorded: true },
    { ...file, query: { path: '/etc/shadow' } },
    { ...file, query: { path: ['/etc/hosts', '/etc/shadow'] } },
  ])
    await expect(open(ticket, other)).rejects.toMatchObject(none)
  await expect(open(ticket, file, ticketsUnder('another'))).rejects.toMatchObject(none)
  await expect(open(ticket.replace('session-1', 'session-2'))).rejects.toMatchObject(none)
  for (const odd of ['', '.', `${ticket}x`, ticket.slice(1), '1.2.3'])
    await expect(open(odd)).rejects.toMatchObject(none)
  expect(await open(ticket)).toBe('session-1')
})

it('a ticket opens one download, also when several ask at once', async () => {
  const [{ ticket }, { ticket: other }] = [tickets.issue(file, 's'), tickets.issue(file, 's')]
  const asked = await Promise.allSettled([1, 2, 3].map(() => open(ticket)))
  expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  await expect(open(ticket)).rejects.toMatchObject(none)
  expect(await open(other)).toBe('s')
})

it('a ticket is valid for one minute', async () => {
  const { ticket, expiresAt } = tickets.issue(file, 's')
  const { ticket: second } = tickets.issue(file, 's')
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date(expiresAt).getTime() - 1000)
  expect(await open(ticket)).toBe('s')
  vi.setSystemTime(new Date(expiresAt).getTime() + 1000)
  await expect(open(second)).rejects.toMatchObject(none)
})
