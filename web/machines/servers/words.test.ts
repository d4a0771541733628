import { describe, expect, it } from 'vitest'
import { impactText, inLines, remaining, seenHint, sinceText, wantedServices } from './words.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
const service = (name: string, state: 'active' | 'failed') => ({ name, state, version: null, detail: null })

describe('a server', () => {
  it('shows its last heartbeat and its uptime', () => {
    expect(seenHint({ observed: 'online', lastSeenAt: before(4), uptime: 61 * 86_400 }, now)).toBe(
      '4 s ago, up for 61 days',
    )
    expect(seenHint({ observed: 'online', lastSeenAt: before(4), uptime: null }, now)).toBe('4 s ago')
  })

  it('shows how long it has been silent', () => {
    expect(seenHint({ observed: 'stale', lastSeenAt: before(192), uptime: 9 }, now)).toBe(
      'not heard from for 3 min 12 s',
    )
    expect(seenHint({ observed: 'unknown', lastSeenAt: null, uptime: null }, now)).toBe('never heard from')
  })

  it('counts any PHP version as the php-fpm that its type requires', () => {
    const services = [service('nginx', 'active'), service('php8.4-fpm', 'active'), service('redis', 'failed')]
    expect(wantedServices({ servicesWanted: ['nginx', 'php-fpm', 'redis'], services })).toEqual({
      total: 3,
      running: 2,
      missing: ['redis'],
    })
  })
})

it('shows how long a service has been in its state, or nothing without the agent’s data', () => {
  expect(sinceText({ state: 'active', since: before(3600), detail: 'PHP 8.2' }, now)).toBe('PHP 8.2, running for 1 h')
  expect(sinceText({ state: 'failed', since: before(192), detail: null }, now)).toBe('for 3 min 12 s')
  expect(sinceText({ state: 'active', since: undefined, detail: null }, now)).toBe('')
})

describe('the effect of Down', () => {
  it('lists numbers, owners and examples', () => {
    const examples = [
      { id: 1, domain: 'a.no' },
      { id: 2, domain: 'b.no' },
    ]
    expect(impactText({ websites: 5, active: 4, owners: 1, running: 1, examples })).toBe(
      [
        'The server holds 5 websites, 4 of them active, of 1 owner.',
        '1 workflow is running on it and will wait until it is up again.',
        'Among them a.no and b.no and 3 others.',
      ].join('\n'),
    )
  })

  it('is nothing on an empty server', () => {
    expect(impactText({ websites: 0, active: 0, owners: 0, running: 0, examples: [] })).toMatch(/^No website/)
  })
})

it('an expired enrolment command has no remaining time', () => {
  expect(remaining({ expiresAt: before(1) }, now.getTime())).toBe(0)
  expect(remaining({ expiresAt: before(-90) }, now.getTime())).toBe(90_000)
})

it('the enrolment command has line breaks where a shell continues', () => {
  const command =
    "curl -fsS --insecure --pinnedpubkey 'sha256//x=' -H 'Authorization: Bearer T0k' https://inn.no:4443/enrol | sh"
  const lines = inLines(command)
  expect(lines.split('\n')).toHaveLength(4)
  expect(lines.replaceAll(/\\\n +/g, '')).toBe(command)
})
