/**
 * Which paths of a tree were chosen. A folder stands for all that it holds, also for what nobody has loaded; the nearest
 * entry above a path decides. Both sets together are what a backup program takes as include and exclude.
 */
export interface Choice {
  included: ReadonlySet<string>
  excluded: ReadonlySet<string>
}
export type Ticked = 'on' | 'off' | 'some'
export const noChoice: Choice = { included: new Set(), excluded: new Set() }

/** The folder of a path; undefined for what lies at the top. */
export function parentOf(path: string): string | undefined {
  const at = path.lastIndexOf('/')
  return at > 0 ? path.slice(0, at) : undefined
}
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** What the nearest entry says, of the path itself or above. */
function said({ included, excluded }: Choice, path: string | undefined): 'on' | 'off' {
  for (let at = path; at !== undefined; at = parentOf(at)) {
    if (included.has(at)) return 'on'
    if (excluded.has(at)) return 'off'
  }
  return 'off'
}

/** `some`: the folder holds paths that were decided otherwise. */
export function tickedAt(choice: Choice, path: string): Ticked {
  const own = said(choice, path)
  const others = own === 'on' ? choice.excluded : choice.included
  for (const other of others) if (isBelow(other, path)) return 'some'
  return own
}

/** Decides a path, and forgets what was decided below. */
function put({ included, excluded }: Choice, path: string, state: 'on' | 'off'): Choice {
  const stays = (other: string) => other !== path && !isBelow(other, path)
  const next = { included: new Set([...included].filter(stays)), excluded: new Set([...excluded].filter(stays)) }
  if (said(next, parentOf(path)) !== state) (state === 'on' ? next.included : next.excluded).add(path)
  return next
}

/**
 * Chooses a path, or takes it back. Where all loaded paths of a folder have come to say the same, the folder says so.
 * `childrenOf` answers undefined for a folder that was not loaded.
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
