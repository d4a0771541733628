import { expect, it } from 'vitest'
import { closedTo } from './availability.ts'

const server = {
  status: 'up' as const,
  acceptsNew: true,
  lastSeenAt: '2026-11-21T12:00:00.000Z' as string | null,
  provisioned: true,
}

it('states why a server accepts no website', () => {
  expect(closedTo(server)).toBeUndefined()
  expect(closedTo({ ...server, status: 'down' })).toBe('set down')
  expect(closedTo({ ...server, lastSeenAt: null })).toBe('has no agent yet')
  expect(closedTo({ ...server, provisioned: false })).toBe('not provisioned yet')
})
