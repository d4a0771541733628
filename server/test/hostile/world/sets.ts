import type { Row } from './row.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<unknown>

/**
 * IP sets in all states: with bans, with a lifted ban, empty and full. Returns an allowed ban, an existing ban, and a
 * set as parameters of the calls, because their rows have the id of the set only.
 */
export async function makeSets(call: Call): Promise<Row[]> {
  await call('POST', '/ipset/sets', { name: 'office', description: 'Who guesses passwords', maxElements: 1000 })
  for (const ip of ['198.51.100.7', '203.0.113.0/24', '2001:db8::/64'])
    await call('POST', '/ipset/sets/office/ips', { ip, reason: 'A flood', expiresAt: '2040-01-01T00:00:00Z' })
  await call('DELETE', '/ipset/sets/office/ips/198.51.100.7', {})
  await call('POST', '/ipset/sets', { name: 'full', serverIds: [1], maxElements: 1 })
  await call('POST', '/ipset/sets/full/ips', { ip: '198.51.100.8' })
  const ban = { set: 'office', set_id: 'office', reason: 'A guess', expires_at: '2040-01-01T00:00:00Z' }
  return [
    { ...ban, ip: '198.51.100.99' },
    { ...ban, ip: '203.0.113.0/24', version: 1 },
    { set_id: 'office', description: 'A guess', everywhere: true, server_ids: [], max_elements: 1000, version: 1 },
  ]
}
