import type { Domain } from '../../domain.ts'

export const workflows = {
  blocks: [{ name: 'tasks', title: 'Tasks', at: 10, reads: 'signedIn', load: () => import('./TasksBlock.tsx') }],
  waits: [
    {
      name: 'failed-tasks',
      at: 10,
      reads: 'signedIn',
      noun: ['failed task of yours', 'failed tasks of yours'],
      to: '/',
      urgent: true,
      load: () => import('./waiting.ts'),
    },
  ],
} satisfies Domain
