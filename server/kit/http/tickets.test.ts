import { afterEach, expect, it, vi } from 'vitest'
import { ticketsUnder } from './tickets.ts'

const tickets = ticketsUnder('a key')
const path = '/api/internal-file-manager/private/abc'
afterEach(() => vi.useRealTimers())

it('a ticket is valid for its session and path, under its key', () => {
  const { ticket } = tickets.issue(path, 'session-1')
  expect(tickets.open(ticket, path)).toBe('session-1')
  expect(() => tickets.open(ticket, `${path}d`)).toThrow('No such file')
  expect(() => ticketsUnder('another').open(ticket, path)).toThrow('No such file')
  expect(() => tickets.open(ticket.replace('session-1', 'session-2'), path)).toThrow('No such file')
  for (const odd of ['', '.', `${ticket}x`, ticket.slice(1), '1.2.3']) expect(() => tickets.open(odd, path)).toThrow()
})

it('a ticket is valid for one minute', () => {
  vi.useFakeTimers()
  const { ticket, expiresAt } = tickets.issue(path, 's')
  expect(new Date(expiresAt).getTime() - Date.now()).toBe(60_000)
  vi.advanceTimersByTime(59_999)
  expect(tickets.open(ticket, path)).toBe('s')
  vi.advanceTimersByTime(2)
  expect(() => tickets.open(ticket, path)).toThrow('No such file')
})
