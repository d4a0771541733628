/**
 * The chosen paths of a tree. A folder includes everything below, even if not loaded; the nearest entry above a path
 * decides. The sets are the include and exclude lists of a backup program.
 */
export interface Choice {
  included: ReadonlySet<string>
  excluded: ReadonlySet<string>
}
export type Ticked = 'on' | 'off' | 'some'
export const noChoice: Choice = { included: new Set(), excluded: new Set() }

/** The parent folder of a path; undefined at the root. */
function parentOf(path: string): string | undefined {
  const at = path.lastIndexOf('/')
  return at > 0 ? path.slice(0, at) : undefined
}
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** The state of the nearest entry at or above the path. */
function said({ included, excluded }: Choice, path: string | undefined): 'on' | 'off' {
  for (let at = path; at !== undefined; at = parentOf(at)) {
    if (included.has(at)) return 'on'
    if (excluded.has(at)) return 'off'
  }
  return 'off'
}

/** `some`: something below has another state than the folder. */
export function tickedAt(choice: Choice, path: string): Ticked {
  const own = said(choice, path)
  const others = own === 'on' ? choice.excluded : choice.included
  for (const other of others) if (isBelow(other, path)) return 'some'
  return own
}

/** Sets the state of a path and drops all entries below. */
function put({ included, excluded }: Choice, path: string, state: 'on' | 'off'): Choice {
  const stays = (other: string) => other !== path && !isBelow(other, path)
  const next = { included: new Set([...included].filter(stays)), excluded: new Set([...excluded].filter(stays)) }
  if (said(next, parentOf(path)) !== state) (state === 'on' ? next.included : next.excluded).add(path)
  return next
}

/**
 * Toggles a path. If all loaded children of a folder then have the same state, the folder gets that state. `childrenOf`
 * returns undefined for a folder that is not loaded.
 */
export function toggled(
  choice: Choice,
  path: string,
  childrenOf: (folder: string) => readonly string[] | undefined,
): Choice {
  const state = tickedAt(choice, path) === 'on' ? 'off' : 'on'
  let next = put(choice, path, state)
  for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder)) {
    const current = next
    const all = childrenOf(folder)
    if (!all?.length || tickedAt(next, folder) === state) break
    if (!all.every((child) => tickedAt(current, child) === state)) break
    next = put(next, folder, state)
  }
  return next
}
