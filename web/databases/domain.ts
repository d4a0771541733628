import type { Domain } from '../domain.ts'
import { isHosted } from '../websites/page/section.ts'

export const databases = {
  sections: [
    {
      at: 10,
      name: 'databases',
      tab: 'data',
      load: () => import('./DatabasesOfSite.tsx'),
      reads: 'database:database:read',
      when: isHosted,
    },
  ],
} satisfies Domain
