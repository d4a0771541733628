import type { Domain } from '../../domain.ts'

export const sftp = {
  sections: [
    { at: 10, name: 'access', tab: 'access', load: () => import('./AccessOfSite.tsx'), reads: 'system-user:user:read' },
  ],
} satisfies Domain
