import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { useLocation } from '@tanstack/react-router'

interface Words {
  one: string
  many: string
  /** Title of the list. */
  title: string
  /** Start of the paths of the tracker's screens. */
  base: string
  list: string
}

export const words: Record<Tracker, Words> = {
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

/** The tracker that the open screen belongs to. */
export const useTracker = (): Tracker =>
  useLocation({
    select: ({ pathname }): Tracker => {
      if (pathname.startsWith(words.bug.base)) return 'bug'
      return pathname.startsWith(words.feature.base) ? 'feature' : 'ticket'
    },
  })

export const importPath = (tracker: Tracker, id: number): string => `${words[tracker].base}/imports/${id}`

export const itemPath = (tracker: Tracker, id: number): string => `${words[tracker].base}/${id}`
