import type { ScopeArea, ScopeLeaf } from '@innkeeper/contract/access/scopes'

/** One visible line of the tree. */
export interface Line {
  id: number
  level: 1 | 2 | 3
  name: string
  /** The permissions at or below the line that match the search. */
  scopes: readonly string[]
  leaf?: ScopeLeaf
  open?: boolean
  parent?: number
  /** Position among its siblings, from 1, and their number. */
  place: number
  of: number
}

/** The visible lines of the tree. A search opens the matches and hides all others. */
export function linesOf(tree: readonly ScopeArea[], open: ReadonlySet<number>, search: string): Line[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const finds = (texts: string[]) => words.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
  const found = tree.flatMap((area) => {
    const children = area.children.flatMap((subarea) => {
      const leaves = subarea.children.filter(({ name, scope, description }) =>
        finds([area.name, subarea.name, name, scope, description]),
      )
      return leaves.length ? [{ ...subarea, children: leaves }] : []
    })
    return children.length ? [{ ...area, children }] : []
  })
  const isOpen = (id: number) => words.length > 0 || open.has(id)
  return found.flatMap((area, a): Line[] => [
    {
      id: area.id,
      level: 1,
      name: area.name,
      scopes: area.children.flatMap(scopesOf),
      open: isOpen(area.id),
      place: a + 1,
      of: found.length,
    },
    ...(isOpen(area.id) ? area.children : []).flatMap((subarea, s): Line[] => [
      {
        id: subarea.id,
        level: 2,
        name: subarea.name,
        scopes: scopesOf(subarea),
        open: isOpen(subarea.id),
        parent: area.id,
        place: s + 1,
        of: area.children.length,
      },
      ...(isOpen(subarea.id) ? subarea.children : []).map(
        (leaf, l): Line => ({
          id: leaf.id,
          level: 3,
          name: leaf.name,
          scopes: [leaf.scope],
          leaf,
          parent: subarea.id,
          place: l + 1,
          of: subarea.children.length,
        }),
      ),
    ]),
  ])
}
const scopesOf = ({ children }: { children: readonly ScopeLeaf[] }) => children.map(({ scope }) => scope)

export type Chosen = 'true' | 'false' | 'mixed'
export function chosenOf({ scopes }: Pick<Line, 'scopes'>, chosen: ReadonlySet<string>): Chosen {
  const n = scopes.filter((scope) => chosen.has(scope)).length
  return n === 0 ? 'false' : n === scopes.length ? 'true' : 'mixed'
}

/** Chooses a line completely, as far as the person may grant it; a line that is completely chosen is deselected. */
export function toggled(line: Line, chosen: ReadonlySet<string>, mayGive: (scope: string) => boolean): Set<string> {
  const next = new Set(chosen)
  const missing = line.scopes.filter((scope) => !chosen.has(scope) && mayGive(scope))
  for (const scope of missing) next.add(scope)
  if (!missing.length) for (const scope of line.scopes) next.delete(scope)
  return next
}

/** The line that a key leads to (ARIA tree view); undefined for other keys. */
export function moved(
  lines: readonly Line[],
  at: number,
  key: string,
): { to?: number; open?: number; shut?: number } | undefined {
  const line = lines[at]
  if (!line) return undefined
  const step = (n: number) => ({ to: lines[Math.max(0, Math.min(lines.length - 1, n))]?.id })
  switch (key) {
    case 'ArrowDown':
      return step(at + 1)
    case 'ArrowUp':
      return step(at - 1)
    case 'Home':
      return step(0)
    case 'End':
      return step(lines.length - 1)
    case 'ArrowRight':
      if (line.leaf) return {}
      return line.open ? step(at + 1) : { open: line.id }
    case 'ArrowLeft':
      if (line.open) return { shut: line.id }
      return line.parent === undefined ? {} : { to: line.parent }
    default:
      return undefined
  }
}
