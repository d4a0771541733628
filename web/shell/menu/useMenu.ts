import { useLocation, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { type MenuArea, type MenuEntry, wholeMenu } from '../../menu.ts'
import { activeItems, type Leaf, leaves, visibleMenu } from '../../menuView.ts'

export interface ShownMenu {
  areas: MenuArea[]
  all: Leaf[]
  /** The active entries; several if a path belongs to several. */
  active: Leaf[]
  isActive: (entry: MenuEntry) => boolean
}

/** The menu that this person's permissions allow, updated when they change. */
export function useMenu(): ShownMenu {
  const user = useSession()
  const router = useRouter()
  const pathname = useLocation({ select: (location) => location.pathname })
  const shown = useMemo(() => {
    const areas = visibleMenu(wholeMenu(), user, (path) => Object.hasOwn(router.routesByPath, path))
    return { areas, all: leaves(areas.flatMap(({ entries }) => entries)) }
  }, [user, router])
  const active = useMemo(() => activeItems(shown.all, pathname), [shown, pathname])
  const isActive = (entry: MenuEntry): boolean =>
    'children' in entry ? entry.children.some(isActive) : active.some(({ item }) => item === entry)
  return { ...shown, active, isActive }
}
