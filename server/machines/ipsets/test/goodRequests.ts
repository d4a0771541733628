import type { Good } from '../../../test/hostile/good.ts'

export const ipsets: Good<'ipsets'> = {
  create: { name: 'fresh', maxElements: 4 },
  update: ({ id }) => ({ id: 'office', description: 'Who guesses', serverIds: [id('servers', 'web-2')] }),
  remove: { id: 'office' },
  ban: { set: 'office', ip: '198.51.100.99' },
  change: { set: 'office', ip: '203.0.113.0/24', expiresAt: '2040-02-01T00:00:00Z' },
  unban: { set: 'office', ip: '203.0.113.0/24' },
  bring: { set: 'office', text: '198.51.100.98\n198.51.100.97', expiresAt: null },
  sync: { set: 'full' },
}
