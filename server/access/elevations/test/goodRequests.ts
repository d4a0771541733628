import type { Good } from '../../../test/hostile/good.ts'

export const elevations: Good<'elevations'> = {
  ask: { scopes: ['dns:zone:read'], minutes: 60, reason: 'A zone is broken' },
  grant: ({ id }) => ({ id: id('elevations', { reason: 'waits' }) }),
  refuse: ({ id }) => ({ id: id('elevations', { reason: 'waits' }), note: 'Ask Anna instead' }),
  end: ({ id }) => ({ id: id('elevations', { reason: 'is held' }) }),
  createRule: { way: 'at-once', scopes: ['dns:zone:read'], maxMinutes: 60 },
  removeRule: ({ id }) => ({ id: id('elevation_rules') }),
}
