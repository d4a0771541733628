import type { Domain } from '../../domain.ts'

export const workflows = {
  blocks: [{ name: 'tasks', at: 10, reads: 'signedIn', load: () => import('./TasksBlock.tsx') }],
} satisfies Domain
