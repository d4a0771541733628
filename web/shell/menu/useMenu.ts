import { useLocation, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { type MenuEntry, menu } from '../../menu.ts'
import { activeItems, type Leaf, leaves, visibleMenu } from '../../menuView.ts'

export interface ShownMenu {
  entries: MenuEntry[]
  all: Leaf[]
  /** Lit here; several when a path belongs to several items. */
  active: Leaf[]
  isActive: (entry: MenuEntry) => boolean
}

/** The menu as this person sees it now; roles that change while the page is open change it. */
export function useMenu(): ShownMenu {
  const user = useSession()
  const router = useRouter()
  const pathname = useLocation({ select: (location) => location.pathname })
  const shown = useMemo(() => {
    const entries = visibleMenu(menu, user, (path) => Object.hasOwn(router.routesByPath, path))
    return { entries, all: leaves(entries) }
  }, [user, router])
  const active = useMemo(() => activeItems(shown.all, pathname), [shown, pathname])
  const isActive = (entry: MenuEntry): boolean =>
    'children' in entry ? entry.children.some(isActive) : active.some(({ item }) => item === entry)
  return { ...shown, active, isActive }
}
