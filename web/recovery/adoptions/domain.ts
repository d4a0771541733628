import { type Domain, item, screen } from '../../domain.ts'

const adopted = { scope: 'archive-import:import:read', title: 'Adopt a server' } as const

export const adoptions = {
  screens: [
    screen('/adoptions', adopted, () => import('./AdoptionsScreen.tsx')),
    screen('/adoptions/$id', { ...adopted, title: 'Adopted server' }, () => import('./AdoptionScreen.tsx')),
  ],
  area: 'Hosting',
  menu: [item(75.5, 'Adopt a server', '/adoptions', 'archive-import:import:read')],
  subjects: { adoption: (id) => `/adoptions/${id}` },
} satisfies Domain
