import { type Holder, missing } from '@innkeeper/contract/kit/access'
import type { Screen } from '../../domain.ts'
import { fitting } from '../../kit/form/fitting.ts'
import { nameOf } from '../../kit/frame/names.ts'
import { activeItems, type Leaf, leafName } from '../../menuView.ts'

/** A screen that its address alone opens. */
export interface OpenScreen {
  path: string
  label: string
  /** The item of the menu that the screen belongs to; absent for an item of the menu. */
  under?: string
  /** The text that is searched. */
  text: string
}

/** What people type for a screen that makes something, whatever its title says. */
const MAKING = /\/(create|new|add)(-|\/|$)/

/** The screens without parameters that a person may use: those of the menu in its order, then all others. */
export function openScreens(menu: readonly Leaf[], screens: readonly Screen[], holder: Holder): OpenScreen[] {
  const byPath = new Map(screens.map((screen) => [screen.path, screen]))
  const textOf = (names: string[], { path, place }: Pick<Screen, 'path' | 'place'>) =>
    [...names, place.title, place.words ?? '', MAKING.test(path) ? 'new create add' : ''].join(' ')
  const inMenu = menu.map((leaf): OpenScreen => {
    const { path } = leaf.item
    const screen = byPath.get(path)
    const names = [leaf.name, leafName(leaf)]
    return { path, label: leafName(leaf), text: screen ? textOf(names, screen) : names.join(' ') }
  })
  const known = new Set(inMenu.map(({ path }) => path))
  const others = screens.flatMap((screen): OpenScreen[] => {
    const { path, place } = screen
    const isOpen = !missing(holder, place.scope).length && !missing(holder, place.needs ?? 'signedIn').length
    if (path === '/' || path.includes('$') || known.has(path) || place.scope === 'public' || !isOpen) return []
    const leaf = activeItems(menu, path)[0]
    const label = nameOf(place.title)
    // a second address of the item itself
    if (leaf && label === nameOf(byPath.get(leaf.item.path)?.place.title ?? '')) return []
    const under = leaf && leafName(leaf)
    return [{ path, label, ...(under && { under }), text: textOf([label, under ?? ''], screen) }]
  })
  const shown = new Set<string>()
  return [...inMenu, ...others].filter(({ label, under }) => {
    const isNew = !shown.has(`${label}\n${under}`)
    shown.add(`${label}\n${under}`)
    return isNew
  })
}

/** The screens that have each typed word; those with all of them in their label first. */
export function screensFor(all: readonly OpenScreen[], typed: string): OpenScreen[] {
  const found = fitting(all, typed, ({ text }) => text)
  const inLabel = new Set(fitting(found, typed, ({ label }) => label))
  return [...found.filter((one) => inLabel.has(one)), ...found.filter((one) => !inLabel.has(one))]
}
