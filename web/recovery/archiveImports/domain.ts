import { type Domain, item, screen } from '../../domain.ts'

const imports = { scope: 'archive-import:import:read', title: 'Imports' } as const

export const archiveImports = {
  screens: [
    screen('/archive-imports', imports, () => import('./ImportsScreen.tsx')),
    screen('/archive-imports/$id', { ...imports, title: 'Import' }, () => import('./ImportScreen.tsx')),
  ],
  area: 'Hosting',
  menu: [item(75, 'Imports', '/archive-imports', 'archive-import:import:read')],
  subjects: { 'archive-import': (id) => `/archive-imports/${id}` },
} satisfies Domain
