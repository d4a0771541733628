import type { Good } from '../../../test/hostile/good.ts'

export const adoptions: Good<'adoptions'> = {
  look: ({ id }) => ({ serverId: id('servers', 'adopt-new') }),
  lookAgain: ({ id }) => ({ id: id('adoptions', 'Ready machine') }),
  bring: ({ id }) => ({
    ...{ id: id('adoptions', 'Ready machine'), serverId: id('servers', 'web-1'), account: 'alice' },
    websites: ['imported.example.org'],
  }),
  check: ({ id }) => ({ id: id('adoptions', 'Ready machine') }),
  retire: ({ id }) => ({ id: id('adoptions', 'Empty machine') }),
  remove: ({ id }) => ({ id: id('adoptions', 'Empty machine') }),
}
