import { type Holder, missing } from '@innkeeper/contract/kit/access'
import type { MenuItem } from './domain.ts'
import { nameOf } from './kit/frame/names.ts'
import type { MenuArea, MenuEntry } from './menu.ts'

/** The menu of this person: areas, groups and items, without those that have nothing for this person. */
export function visibleMenu(
  areas: readonly MenuArea[],
  holder: Holder,
  hasScreen: (path: string) => boolean,
): MenuArea[] {
  return areas.flatMap(({ label, entries }) => {
    const visible = visibleEntries(entries, holder, hasScreen)
    return visible.length ? [{ label, entries: visible }] : []
  })
}

/** Items with an existing screen and held scopes, and groups that are not empty. */
export function visibleEntries(
  entries: readonly MenuEntry[],
  holder: Holder,
  hasScreen: (path: string) => boolean,
): MenuEntry[] {
  return entries.flatMap((entry): MenuEntry[] => {
    if (!('children' in entry)) return hasScreen(entry.path) && !missing(holder, entry.scope).length ? [entry] : []
    const children = visibleEntries(entry.children, holder, hasScreen)
    return children.length ? [{ ...entry, children }] : []
  })
}

/** An item with the groups above it. */
export interface Leaf {
  item: MenuItem
  groups: string[]
  /** "DNS / Zones" */
  name: string
}

/** The name of a leaf in the person's language. */
export const leafName = ({ item, groups }: Leaf): string => [...groups, item.label].map(nameOf).join(' / ')

/** Whether a typed part is in the name of a leaf, in the person's language or in English. */
export const hasPart = (leaf: Leaf, typed: string): boolean =>
  [leaf.name, leafName(leaf)].some((name) => name.toLowerCase().includes(typed.trim().toLowerCase()))

export function leaves(entries: readonly MenuEntry[], groups: string[] = []): Leaf[] {
  return entries.flatMap((entry) =>
    'children' in entry
      ? leaves(entry.children, [...groups, entry.label])
      : [{ item: entry, groups, name: [...groups, entry.label].join(' / ') }],
  )
}

/** Active items for a path: those whose own or related path is the longest prefix. */
export function activeItems(all: readonly Leaf[], path: string): Leaf[] {
  const reach = ({ item }: Leaf) =>
    Math.max(...[item.path, ...item.also].map((start) => (isAtOrBelow(path, start) ? start.length : -1)))
  const furthest = Math.max(0, ...all.map(reach))
  return furthest ? all.filter((leaf) => reach(leaf) === furthest) : []
}
const isAtOrBelow = (path: string, start: string) => path === start || path.startsWith(`${start}/`)
