import type { Values } from './formState.ts'

/** A value that both sides changed, differently. */
export interface Clash {
  /** The field, and the keys below it. */
  path: readonly (string | number)[]
  theirs: unknown
  mine: unknown
}
/** The same merge twice: where both sides changed a value, once with mine and once with theirs. */
interface Merged {
  mine: unknown
  theirs: unknown
  clashes: Clash[]
}

const empty = (value: unknown) => value ?? ''
const same = (a: unknown, b: unknown): boolean => JSON.stringify(empty(a)) === JSON.stringify(empty(b))

/**
 * Merges what two people made of the values that both opened. Fields that `theirs` lacks are not stored by the row: they
 * keep mine.
 */
export function mergeForm(opened: Values, mine: Values, theirs: Values) {
  const keep: Values = { ...mine }
  const take: Values = { ...mine }
  const clashes: Clash[] = []
  /** Fields that now have their value and not the opened one. */
  const taken: string[] = []
  for (const key of Object.keys(mine).filter((name) => name in theirs && name !== 'version')) {
    const merged = mergeValue(opened[key], mine[key], theirs[key], [key])
    keep[key] = merged.mine
    take[key] = merged.theirs
    clashes.push(...merged.clashes)
    if (!merged.clashes.length && !same(opened[key], theirs[key]) && !same(mine[key], theirs[key])) taken.push(key)
  }
  return { keep, take, clashes, taken }
}

function mergeValue(opened: unknown, mine: unknown, theirs: unknown, path: Clash['path']): Merged {
  if (same(opened, mine)) return both(theirs)
  if (same(opened, theirs) || same(mine, theirs)) return both(mine)
  if (isRecord(opened) && isRecord(mine) && isRecord(theirs)) return mergeRecord(opened, mine, theirs, path)
  if (Array.isArray(opened) && Array.isArray(mine) && Array.isArray(theirs)) {
    const key = identityOf([opened, mine, theirs])
    const merged = key && mergeSets(opened, mine, theirs, key, path)
    if (merged) return merged
    if (!key && opened.length === mine.length && mine.length === theirs.length)
      return listOf(mine.map((item, n) => mergeValue(opened[n], item, theirs[n], [...path, n])))
  }
  return { mine, theirs, clashes: [{ path, mine, theirs }] }
}

const both = (value: unknown): Merged => ({ mine: value, theirs: value, clashes: [] })
const listOf = (items: Merged[]): Merged => ({
  mine: items.map((item) => item.mine),
  theirs: items.map((item) => item.theirs),
  clashes: items.flatMap(({ clashes }) => clashes),
})
const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mergeRecord(opened: Values, mine: Values, theirs: Values, path: Clash['path']): Merged {
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])]
  const merged = keys.map((key) => [key, mergeValue(opened[key], mine[key], theirs[key], [...path, key])] as const)
  const side = (of: 'mine' | 'theirs') =>
    Object.fromEntries(merged.flatMap(([key, value]) => (value[of] === undefined ? [] : [[key, value[of]]])))
  return { mine: side('mine'), theirs: side('theirs'), clashes: merged.flatMap(([, { clashes }]) => clashes) }
}

type Identity = (item: unknown) => string | number
const isKey = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** What identifies the items of all lists: the item, or a field such as `id`; undefined for lists of places. */
function identityOf(lists: readonly (readonly unknown[])[]): Identity | undefined {
  const items = lists.flat()
  const differ = (of: Identity) => lists.every((list) => new Set(list.map(of)).size === list.length)
  if (items.every(isKey)) return differ((item) => item as string) ? (item) => item as string : undefined
  if (!items.every(isRecord)) return undefined
  const names = Object.keys(items[0] ?? {}).filter((name) => items.every((item) => isKey(item[name])))
  const ranked = identities.flatMap((pattern) => names.filter((name) => pattern.test(name)))
  return ranked
    .map(
      (name): Identity =>
        (item) =>
          (item as Values)[name] as string,
    )
    .find(differ)
}
const identities = [/^id$/, /Id$/, /^key$/, /^name$/]

/** Items that each side added, removed or changed; undefined if a side also changed their order. */
function mergeSets(
  opened: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  of: Identity,
  path: Clash['path'],
): Merged | undefined {
  const mapOf = (list: readonly unknown[]) => new Map(list.map((item) => [of(item), item]))
  const [before, ours, others] = [mapOf(opened), mapOf(mine), mapOf(theirs)]
  const keeps = (list: ReadonlyMap<string | number, unknown>) =>
    same(
      [...before.keys()].filter((key) => list.has(key)),
      [...list.keys()].filter((key) => before.has(key)),
    )
  if (!keeps(ours) || !keeps(others)) return undefined
  const order = [...others.keys()]
  // what I added goes behind the item that it follows in my list
  ;[...ours.keys()].forEach((key, n, keys) => {
    if (!order.includes(key)) order.splice(n === 0 ? 0 : order.indexOf(keys[n - 1]!) + 1, 0, key)
  })
  const merged = order.map((key) => mergeValue(before.get(key), ours.get(key), others.get(key), [...path, key]))
  const present = (values: unknown[]) => values.filter((value) => value !== undefined)
  const { clashes, ...sides } = listOf(merged)
  return { mine: present(sides.mine as unknown[]), theirs: present(sides.theirs as unknown[]), clashes }
}

/**
 * A stored row in the types of a form: '' for an empty field, and text where the form has text. A field that the form
 * opened undefined is a choice, and no stored value.
 */
export function formOf(row: unknown, opened: Values): Values {
  if (typeof row !== 'object' || row === null) return {}
  const field = (was: unknown, value: unknown) =>
    value === null && (typeof was === 'string' || typeof was === 'number')
      ? ''
      : typeof was === 'string' && was !== '' && typeof value === 'number'
        ? String(value)
        : value
  return Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => opened[key] !== undefined && key !== 'version')
      .map(([key, value]) => [key, field(opened[key], value)]),
  )
}
