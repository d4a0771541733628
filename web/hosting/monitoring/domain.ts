import type { Domain } from '../../domain.ts'
import { isHosted } from '../websites/page/section.ts'

export const monitoring = {
  sections: [
    {
      at: 5,
      name: 'monitor',
      tab: 'overview',
      load: () => import('./MonitorOfSite.tsx'),
      reads: 'website:website:read',
      when: isHosted,
      side: true,
    },
  ],
  blocks: [
    { name: 'down', title: 'Websites', at: 38, reads: 'website:website:read', load: () => import('./DownBlock.tsx') },
  ],
} satisfies Domain
