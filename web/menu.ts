import { type Area, areas, type MenuItem, type PlacedItem } from './domain.ts'
import { stated } from './stated.ts'

export interface MenuGroup {
  label: string
  children: readonly MenuEntry[]
}
export type MenuEntry = MenuItem | MenuGroup

export interface MenuArea {
  label: Area
  entries: readonly MenuEntry[]
}

/** All items of the menu, as the domains state them. */
export const placedItems = (): readonly PlacedItem[] => stated().flatMap(({ menu = [] }) => menu)

/** The whole sidebar: areas, with their items in the order of the specification. `visibleMenu` omits items without a screen. */
export const wholeMenu = (): readonly MenuArea[] =>
  areas.map((label) => {
    const items = stated().flatMap(({ area, menu = [] }) => (area === label ? menu : []))
    return { label, entries: grouped(items.toSorted((one, other) => one.at - other.at)) }
  })

/** A group takes the position of its first item; "QC V2 / Settings" is a group within a group. */
function grouped(items: readonly PlacedItem[]): MenuEntry[] {
  const top: MenuEntry[] = []
  const groups = new Map<string, MenuEntry[]>()
  for (const { at: _, group, ...item } of items) {
    let [level, path] = [top, '']
    for (const label of group?.split(' / ') ?? []) {
      path += `/${label}`
      const children = groups.get(path) ?? []
      if (!groups.has(path)) {
        groups.set(path, children)
        level.push({ label, children })
      }
      level = children
    }
    level.push(item)
  }
  return top
}
