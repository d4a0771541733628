export interface TreeNode {
  name: string
  isFolder: boolean
  /** Bytes. */
  size?: number
}
/** The loading state and content of an opened folder. */
export type Folder =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | { state: 'ready'; nodes: readonly TreeNode[] }

export interface TreeRow {
  path: string
  node: TreeNode
  /** 1 at the root. */
  level: number
  /** Position among its siblings, from 1, and their number. */
  position: number
  count: number
  isOpen: boolean
  folder: Folder | undefined
}

export const ROOT = ''
const pathOf = (folder: string, { name }: TreeNode): string => `${folder}/${name}`

/** The visible rows: the root's children, and the content of open folders, depth first. */
export function rowsOf(folders: ReadonlyMap<string, Folder>, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = []
  const walk = (path: string, level: number) => {
    const folder = folders.get(path)
    if (folder?.state !== 'ready') return
    const count = folder.nodes.length
    for (const [n, node] of folder.nodes.entries()) {
      const own = pathOf(path, node)
      const isOpen = node.isFolder && open.has(own)
      rows.push({ path: own, node, level, position: n + 1, count, isOpen, folder: folders.get(own) })
      if (isOpen) walk(own, level + 1)
    }
  }
  walk(ROOT, 1)
  return rows
}

/** The row that a key moves to: up, down, first, last, parent folder. */
export function rowByKey(rows: readonly TreeRow[], at: number, key: string): number | undefined {
  const last = rows.length - 1
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + 10, PageUp: at - 10 }[key]
  if (to !== undefined) return Math.max(0, Math.min(last, to))
  const row = rows[at]
  if (key === 'ArrowRight' && row?.isOpen && rows[at + 1] && rows[at + 1]!.level > row.level) return at + 1
  if (key !== 'ArrowLeft' || !row || row.isOpen) return undefined
  const folder = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
  return folder < 0 ? undefined : folder
}

/** The next row after `at` whose name starts with the typed letters, wrapping around. */
export function rowByName(rows: readonly TreeRow[], at: number, typed: string): number | undefined {
  const wanted = typed.toLocaleLowerCase()
  for (let n = 0; n < rows.length; n++) {
    // a single letter moves on; further letters may match the same row
    const index = (at + n + (typed.length > 1 ? 0 : 1)) % rows.length
    if (rows[index]?.node.name.toLocaleLowerCase().startsWith(wanted)) return index
  }
  return undefined
}
