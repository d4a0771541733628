import type { Differences } from '@innkeeper/contract/stagings'

type File = Differences['files'][number]
/** A folder or file in which the copy differs; `file` is empty for folders. */
export interface PathNode {
  /** As a merge takes it: `public/wp-content`. */
  path: string
  name: string
  /** Folders and files in it, by name; of a file none. */
  below: PathNode[]
  file: File | undefined
  /** Files in it, or itself, by what a merge makes of them. */
  added: number
  changed: number
  gone: number
  /** Bytes that would come. */
  bytes: number
  /** False where its own name cannot be said: it is taken with its folder. */
  nameable: boolean
}

/** What differs as a tree, folders first. Paths come as the server lists them. */
export function treeOf(files: readonly File[]): PathNode[] {
  const root = folder('', '')
  for (const file of files) {
    const parts = file.path.split('/')
    let at = root
    for (const [i, name] of parts.entries()) {
      if (at !== root) note(at, file)
      const isFile = i === parts.length - 1
      const found = isFile ? undefined : at.below.find((node) => node.name === name && !node.file)
      const next = found ?? folder(parts.slice(0, i + 1).join('/'), name)
      if (!found) at.below.push(next)
      if (isFile) Object.assign(next, { file, nameable: file.nameable })
      at = next
    }
    note(at, file)
  }
  return sorted(root.below)
}

const folder = (path: string, name: string): PathNode => ({
  ...{ path, name, below: [], file: undefined, bytes: 0, nameable: true },
  ...{ added: 0, changed: 0, gone: 0 },
})
function note(node: PathNode, { what, bytes }: File): void {
  node[what]++
  node.bytes += bytes
  // a folder whose name is escaped cannot be said either
  if (/\\x[0-9a-f]{2}/.test(node.name)) node.nameable = false
}
const sorted = (nodes: PathNode[]): PathNode[] =>
  nodes
    .map((node) => ({ ...node, below: sorted(node.below) }))
    .sort((a, b) => Number(!!a.file) - Number(!!b.file) || (a.name < b.name ? -1 : 1))

const isBelow = (path: string, folderPath: string) => path.startsWith(`${folderPath}/`)

/** Is it taken by itself or with a folder above it, or is something in it? */
export function pickOf(paths: readonly string[], path: string): 'all' | 'some' | 'none' {
  if (paths.some((one) => one === path || isBelow(path, one))) return 'all'
  return paths.some((one) => isBelow(one, path)) ? 'some' : 'none'
}

/** The paths with this one: what is in it comes along. */
export const picked = (paths: readonly string[], path: string): string[] => [
  ...paths.filter((one) => !isBelow(one, path)),
  path,
]

/** The paths without this one. Of a folder above it that was taken whole, all else stays taken. */
export function unpicked(paths: readonly string[], path: string, nodes: readonly PathNode[]): string[] {
  const whole = paths.find((one) => isBelow(path, one))
  const rest = paths.filter((one) => one !== path && one !== whole && !isBelow(one, path))
  return whole === undefined ? rest : [...rest, ...besides(nodes, whole, path)]
}

/** Everything in a folder but what leads to a path, as few names as say it. */
function besides(nodes: readonly PathNode[], whole: string, path: string): string[] {
  return nodes.flatMap((node) => {
    if (node.path === path) return []
    const leads = isBelow(path, node.path)
    if (leads || isBelow(whole, node.path)) return besides(node.below, whole, path)
    return isBelow(node.path, whole) && node.nameable ? [node.path] : []
  })
}
