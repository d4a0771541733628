import type { Row } from './world.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<unknown>

/** Sets in the states that calls tell apart: with bans, with one that was lifted, empty and full. Answers a ban that could be added. */
export async function makeSets(call: Call): Promise<Row> {
  await call('POST', '/ipset/sets', { name: 'office', description: 'Who guesses passwords', maxElements: 1000 })
  for (const ip of ['198.51.100.7', '203.0.113.0/24', '2001:db8::/64'])
    await call('POST', '/ipset/sets/office/ips', { ip, reason: 'A flood', expiresAt: '2040-01-01T00:00:00Z' })
  await call('DELETE', '/ipset/sets/office/ips/198.51.100.7', {})
  await call('POST', '/ipset/sets', { name: 'full', serverIds: [1], maxElements: 1 })
  await call('POST', '/ipset/sets/full/ips', { ip: '198.51.100.8' })
  return { set: 'office', ip: '198.51.100.99', reason: 'A guess', expires_at: '2040-01-01T00:00:00Z' }
}
