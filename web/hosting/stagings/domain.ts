import type { Domain } from '../../domain.ts'
import { isHosted } from '../websites/page/section.ts'

export const stagings = {
  sections: [
    {
      at: 10,
      name: 'staging',
      tab: 'copies',
      load: () => import('./StagingOfSite.tsx'),
      reads: 'website:website:read',
      when: isHosted,
    },
  ],
} satisfies Domain
