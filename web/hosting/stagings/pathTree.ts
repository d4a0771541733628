import type { Differences } from '@innkeeper/contract/hosting/stagings/shapes'

type File = Differences['files'][number]
/** A differing folder or file; `file` is undefined for folders. */
export interface PathNode {
  /** The path as a merge expects it: `public/wp-content`. */
  path: string
  name: string
  /** Children, by name; none for a file. */
  below: PathNode[]
  file: File | undefined
  /** Numbers of files by the effect of a merge: of the files below a folder, or 1 for a file. */
  added: number
  changed: number
  gone: number
  /** Bytes to copy. */
  bytes: number
  /** False if the name is not valid UTF-8; a merge then takes the parent folder. */
  nameable: boolean
}

/** The differences as a tree, folders first. Expects the server's order of paths. */
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
  // a folder with an escaped name is not valid UTF-8 either
  if (/\\x[0-9a-f]{2}/.test(node.name)) node.nameable = false
}
const sorted = (nodes: PathNode[]): PathNode[] =>
  nodes
    .map((node) => ({ ...node, below: sorted(node.below) }))
    .sort((a, b) => Number(!!a.file) - Number(!!b.file) || (a.name < b.name ? -1 : 1))

const isBelow = (path: string, folderPath: string) => path.startsWith(`${folderPath}/`)

/** Whether a path is chosen (itself or a parent), or something inside is. */
export function pickOf(paths: readonly string[], path: string): 'all' | 'some' | 'none' {
  if (paths.some((one) => one === path || isBelow(path, one))) return 'all'
  return paths.some((one) => isBelow(one, path)) ? 'some' : 'none'
}

/** Adds a path, which replaces chosen paths inside it. */
export const picked = (paths: readonly string[], path: string): string[] => [
  ...paths.filter((one) => !isBelow(one, path)),
  path,
]

/** Removes a path. If a parent folder was chosen, its other content stays chosen. */
export function unpicked(paths: readonly string[], path: string, nodes: readonly PathNode[]): string[] {
  const whole = paths.find((one) => isBelow(path, one))
  const rest = paths.filter((one) => one !== path && one !== whole && !isBelow(one, path))
  return whole === undefined ? rest : [...rest, ...besides(nodes, whole, path)]
}

/** The content of a folder without a path, in as few paths as possible. */
function besides(nodes: readonly PathNode[], whole: string, path: string): string[] {
  return nodes.flatMap((node) => {
    if (node.path === path) return []
    const leads = isBelow(path, node.path)
    if (leads || isBelow(whole, node.path)) return besides(node.below, whole, path)
    return isBelow(node.path, whole) && node.nameable ? [node.path] : []
  })
}
