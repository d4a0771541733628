import type { Access } from '@innkeeper/contract/access'
import type { Domain } from './domain.ts'
import * as domains from './domains.ts'
import { menuToCome } from './menuToCome.ts'

export interface MenuItem {
  label: string
  path: string
  scope: Access
  /** Related paths that also activate the item, with all paths below them. */
  also: readonly string[]
}
export interface MenuGroup {
  label: string
  children: readonly MenuEntry[]
}
export type MenuEntry = MenuItem | MenuGroup

/** An item as its domain states it. */
export interface PlacedItem extends MenuItem {
  /** Its place among all items, in the spec's order. */
  at: number
  /** The group that it stands in. */
  group?: string
}

const stated: readonly Domain[] = Object.values(domains)
export const placedItems: readonly PlacedItem[] = [
  ...stated.flatMap((domain) => domain.menu ?? []),
  ...menuToCome,
].sort((one, other) => one.at - other.at)

/** The whole sidebar in the order of the specification. visibleMenu omits items without a screen. */
export const menu: readonly MenuEntry[] = grouped(placedItems)

/** A group takes the position of its first item. */
function grouped(items: readonly PlacedItem[]): MenuEntry[] {
  const groups = new Map<string, MenuItem[]>()
  return items.flatMap(({ at: _, group, ...item }): MenuEntry[] => {
    if (!group) return [item]
    const known = groups.get(group)
    if (known) {
      known.push(item)
      return []
    }
    const children = [item]
    groups.set(group, children)
    return [{ label: group, children }]
  })
}
