import { isConfig } from '../applications/knownConfigs.ts'
import { type Entry, inBytes } from '../files/tree.ts'

/** One path that a merge replaces. The empty path is the whole folder. */
export interface Swap {
  path: string
  /** Whether the website had it before. */
  was: boolean
  /** Whether it exists afterwards. */
  comes: boolean
  /** Inode of the new file or folder, noted before the first swap: shows after a kill which swaps took place. */
  inode?: number
}

/**
 * The swaps that put these paths of a copy into the website. The highest folder that the website lacks is moved as a
 * whole, so that each swap is one rename.
 */
export function swapsOf(paths: readonly string[] | undefined, live: readonly Entry[], copy: readonly Entry[]): Swap[] {
  if (!paths) return [{ path: '', was: true, comes: true }]
  const [mine, theirs] = [typesOf(live), typesOf(copy)]
  const swaps: Swap[] = []
  for (const path of topmost(paths)) {
    const [was, comes] = [mine.get(inBytes(path)), theirs.get(inBytes(path))]
    if (!was && !comes) throw new Error(`neither the website nor its copy has ${path}`)
    if (isConfig(path) && was === 'f') throw new Error(`${path} names the website's own database: it stays its own`)
    const missing = above(path).find((folder) => mine.get(inBytes(folder)) !== 'd')
    const blocked = missing !== undefined && mine.has(inBytes(missing))
    if (blocked) throw new Error(`${missing} is no folder on the website`)
    swaps.push({ path: missing ?? path, was: was !== undefined, comes: comes !== undefined })
  }
  // several paths may need the same new folder
  return swaps.filter(({ path }, i) => swaps.findIndex((one) => one.path === path) === i)
}

const typesOf = (entries: readonly Entry[]) => new Map(entries.map(({ path, type }) => [path, type]))
/** The parent folders of a path, highest first: `a` and `a/b` for `a/b/c`. */
const above = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join('/'))
const topmost = (paths: readonly string[]) => {
  const all = new Set(paths)
  return [...all].filter((path) => !above(path).some((folder) => all.has(folder)))
}
