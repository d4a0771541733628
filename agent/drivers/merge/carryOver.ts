import { isConfig } from '../applications/knownConfigs.ts'
import { compareTrees, type Entry, sameEntry } from '../files/tree.ts'

/** How a merge treats the changes that visitors made on the live website after staff saw it. */
export interface CarryOver {
  /** Copied into the merged files. */
  take: Entry[]
  /** Deleted on the live website, and therefore also deleted in the merged files. */
  drop: Entry[]
  /** Changed on the live website and in the copy: only people can decide. */
  clash: Entry[]
}

/**
 * Three states of the same files: `seen` by the people who started the merge, `now` on the closed live website, and
 * `coming` from the copy. A change since `seen` is carried over unless the copy brings another content for that file.
 */
export function carryOver(seen: readonly Entry[], now: readonly Entry[], coming: readonly Entry[]): CarryOver {
  const [was, comes] = [byPath(seen), byPath(coming)]
  const { added, changed, gone } = compareTrees(seen, now)
  const found: CarryOver = { take: [], drop: [], clash: [] }
  for (const one of added) {
    const other = comes.get(one.path)
    const isFree = !other || sameEntry(other, one) || isConfig(one.path)
    found[isFree ? 'take' : 'clash'].push(one)
  }
  for (const one of changed) {
    const [before, other] = [was.get(one.path), comes.get(one.path)]
    const isUntouched = before && other && sameEntry(before, other)
    found[isUntouched || isConfig(one.path) ? 'take' : 'clash'].push(one)
  }
  for (const one of gone) {
    const other = comes.get(one.path)
    if (!other || one.type === 'd') continue
    found[sameEntry(one, other) ? 'drop' : 'clash'].push(one)
  }
  return found
}

/** The merged files right after the swap: those of the copy, with what was carried over. */
export function mergedFiles(seen: readonly Entry[], swapped: readonly Entry[], coming: readonly Entry[]): Entry[] {
  const { take, drop } = carryOver(seen, swapped, coming)
  const others = byPath([...take, ...drop])
  return [...coming.filter(({ path }) => !others.has(path)), ...take]
}

/**
 * Files that were written on one side after the swap (`before` to `now`). `free`: those that the other side lacks or has as
 * they were `before`, so that they may come along.
 */
export function writtenSince(before: readonly Entry[], now: readonly Entry[], other: readonly Entry[]) {
  const [was, theirs] = [byPath(before), byPath(other)]
  const { added, changed } = compareTrees(before, now)
  const written = [...added, ...changed].filter(({ type }) => type !== 'd')
  const free = written.filter(({ path }) => {
    const [is, then] = [theirs.get(path), was.get(path)]
    return !is || (then !== undefined && sameEntry(is, then))
  })
  return { written, free: new Set(free) }
}

const byPath = (entries: readonly Entry[]) => new Map(entries.map((one) => [one.path, one]))
