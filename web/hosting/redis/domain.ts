import type { Domain } from '../../domain.ts'

export const redis = {
  sections: [
    { at: 20, name: 'cache', tab: 'data', load: () => import('./Cache.tsx'), reads: 'website:redis-cache:read' },
  ],
} satisfies Domain
