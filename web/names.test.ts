import { expect, test } from 'vitest'
import * as domains from './domains.ts'
import { type MenuEntry, wholeMenu } from './menu.ts'
import { german } from './names.ts'
import { state, stated } from './stated.ts'

state(Object.values(domains))
const labels = (entries: readonly MenuEntry[]): string[] =>
  entries.flatMap((entry) => ('children' in entry ? [entry.label, ...labels(entry.children)] : [entry.label]))
const menu = wholeMenu().flatMap(({ label, entries }) => [label, ...labels(entries)])
const titles = stated().flatMap(({ screens = [] }) => screens.map(({ place }) => place.title))
/** Kinds of records that the search finds and that are no item of the menu. */
const kinds = ['Staff', 'Owners']

test('everything that the frame names has a German name, and no name is left over', () => {
  const named = new Set([...menu, ...titles, ...kinds])
  expect([...named].filter((name) => !german[name])).toEqual([])
  expect(Object.keys(german).filter((name) => !named.has(name))).toEqual([])
})
