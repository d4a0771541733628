import type { Domain } from '../../domain.ts'

export const names = {
  sections: [
    { at: 20, name: 'names', tab: 'names', load: () => import('./NamesOfSite.tsx'), reads: 'website:website:read' },
  ],
} satisfies Domain
