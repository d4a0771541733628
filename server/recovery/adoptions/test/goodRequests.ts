import type { Good } from '../../../test/hostile/good.ts'

export const adoptions: Good<'adoptions'> = {
  look: ({ id }) => ({ serverId: id('servers', 'adopt-new') }),
  lookAgain: ({ id }) => ({ id: id('adoptions', 'Ready machine') }),
  bring: ({ id }) => ({
    ...{ id: id('adoptions', 'Ready machine'), serverId: id('servers', 'web-1'), account: 'alice' },
    websites: ['imported.example.org'],
  }),
  take: ({ id }) => ({
    ...{ id: id('adoptions', 'Place machine'), account: 'lee', website: 'lying.example.org' },
    ...{ userId: id('owners', { name: 'Kari' }), plan: 1, seen: 'a'.repeat(64) },
    ...{ root: '/home/lee/www', phpVersion: '8.2', serves: [], redirects: ['www.lying.example.org'] },
    application: 'files',
  }),
  acceptPlace: ({ id }) => ({ id: id('adoption_places', 'placed.example.org') }),
  undoPlace: ({ id }) => ({ id: id('adoption_places', 'half-placed.example.org') }),
  check: ({ id }) => ({ id: id('adoptions', 'Ready machine') }),
  retire: ({ id }) => ({ id: id('adoptions', 'Empty machine') }),
  remove: ({ id }) => ({ id: id('adoptions', 'Empty machine') }),
}
