import type { Face } from '@innkeeper/contract/desk/trackers/values'
import { useLocation } from '@tanstack/react-router'

interface Words {
  one: string
  many: string
  /** Title of the list. */
  title: string
  /** Start of the paths of the face's screens. */
  base: string
  list: string
}

export const words: Record<Face, Words> = {
  bug: {
    one: 'bug',
    many: 'bugs',
    title: 'Bugs',
    base: '/internal-tickets/bugs',
    list: '/internal-tickets/bugs',
  },
  feature: {
    one: 'feature request',
    many: 'feature requests',
    title: 'Feature requests',
    base: '/internal-tickets/features',
    list: '/internal-tickets/features',
  },
  ticket: {
    one: 'ticket',
    many: 'tickets',
    title: 'Internal tickets',
    base: '/internal-tickets/tickets',
    list: '/internal-tickets',
  },
}

/** The face that the open screen belongs to. */
export const useFace = (): Face =>
  useLocation({
    select: ({ pathname }): Face => {
      if (pathname.startsWith(words.bug.base)) return 'bug'
      return pathname.startsWith(words.feature.base) ? 'feature' : 'ticket'
    },
  })

export const importPath = (face: Face, id: number): string => `${words[face].base}/imports/${id}`

export const itemPath = (face: Face, id: number): string => `${words[face].base}/${id}`
