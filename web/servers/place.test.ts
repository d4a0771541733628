import { expect, it } from 'vitest'
import { closedTo, placesFor } from './place.ts'

const at = '2026-11-21T12:00:00.000Z'
const load = (share: number) => ({
  at,
  load: 0,
  cores: 1,
  memory: { total: 100, used: 100 * share },
  disk: { total: 100, used: 0 },
})
const server = {
  id: 1,
  name: 'a',
  type: 'web' as const,
  status: 'up' as const,
  observed: 'online' as const,
  acceptsNew: true,
  lastSeenAt: at as string | null,
  provisioned: true,
  load: load(0.1),
}

it('says why a server takes no website', () => {
  expect(closedTo(server)).toBeUndefined()
  expect(closedTo({ ...server, status: 'down' })).toBe('set down')
  expect(closedTo({ ...server, lastSeenAt: null })).toBe('has no agent yet')
  expect(closedTo({ ...server, provisioned: false })).toBe('not provisioned yet')
})

it('offers the emptiest server that answers first, and closed ones last', () => {
  const names = placesFor([
    { ...server, name: 'down', status: 'down' },
    { ...server, name: 'silent', observed: 'stale' },
    { ...server, name: 'full', load: load(0.9) },
    { ...server, name: 'empty' },
    { ...server, name: 'dns', type: 'dns' },
  ]).map(({ name }) => name)
  expect(names).toEqual(['empty', 'full', 'silent', 'down'])
})
