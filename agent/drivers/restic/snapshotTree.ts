import { setImmediate as breath } from 'node:timers/promises'
import type { Local, Message } from './ask.ts'
import { type Blobs, blobsOf, type StoredNode } from './blobs.ts'

interface Folder {
  nodes: StoredNode[]
}
const letters: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const escapes = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gs

/** restic writes names as Go quotes text, bytes that are no UTF-8 as `\xe9`. */
export function nameOf({ name }: Pick<StoredNode, 'name'>): string {
  if (!name.includes('\\')) return name
  // one letter for each byte, so that the bytes of `\x` become one text with the others
  const bytes = Buffer.from(name).toString('latin1')
  const text = bytes.replace(escapes, (_, byte?: string, short?: string, long?: string, letter = '') => {
    if (byte) return String.fromCharCode(Number.parseInt(byte, 16))
    const code = short ?? long
    if (code) return Buffer.from(String.fromCodePoint(Number.parseInt(code, 16))).toString('latin1')
    return letters[letter] ?? letter
  })
  return Buffer.from(text, 'latin1').toString('utf8')
}

const join = (folder: string, name: string) => `${folder === '/' ? '' : folder}/${name}`
/** A node as `restic ls` prints it. */
const printed = (node: StoredNode, folder: string): Message => {
  const name = nameOf(node)
  return { ...node, name, path: join(folder, name) }
}

/** Folders of snapshots, each read once. */
export async function treesOf(repository: Local) {
  const blobs = await blobsOf(repository)
  const known = new Map<string, Promise<StoredNode[]>>()
  const nodesIn = (id: string) => {
    const nodes = known.get(id) ?? blobs.tree(id).then((text) => (JSON.parse(String(text)) as Folder).nodes)
    known.set(id, nodes)
    return nodes
  }
  /** The entry of a path; undefined for `/` and for a path that does not exist. `folder`: the id of its content. */
  const at = async (snapshot: string, path: string) => {
    let folder: string | undefined = await blobs.rootOf(snapshot)
    let [self, above]: [Message | undefined, string] = [undefined, '/']
    for (const name of path.split('/').filter(Boolean)) {
      const nodes: StoredNode[] = folder ? await nodesIn(folder) : []
      const found = nodes.find((node) => nameOf(node) === name)
      if (!found) return { self: undefined, folder: undefined }
      self = printed(found, above)
      above = String(self.path)
      folder = found.subtree
    }
    return { self, folder }
  }
  return {
    /** The first entries of a folder, and the entry of the path itself. */
    async list(
      snapshot: string,
      path: string,
      most: number,
    ): Promise<{ within: Message[]; self: Message | undefined }> {
      const { self, folder } = await at(snapshot, path)
      const nodes = folder ? await nodesIn(folder) : []
      return { within: nodes.slice(0, most).map((node) => printed(node, path)), self }
    },
    entry: async (snapshot: string, path: string): Promise<Message | undefined> => (await at(snapshot, path)).self,
    /** Calls `take` for each entry whose name contains the text, in any case, until `take` answers false. */
    async find(snapshot: string, text: string, take: (node: Message) => boolean): Promise<void> {
      await search(blobs, await blobs.rootOf(snapshot), '/', text.toLowerCase(), take)
    },
  }
}

/** Text that appears in the JSON of a folder as it is in the name. */
const PLAIN = /^[a-z0-9._ -]+$/

async function search(
  blobs: Blobs,
  id: string,
  path: string,
  text: string,
  take: (node: Message) => boolean,
): Promise<boolean> {
  const tree = await blobs.tree(id)
  const json = tree.toString('utf8')
  // most folders contain neither the text nor folders: they need not be parsed
  if (PLAIN.test(text) && !json.includes('"subtree":"') && !json.toLowerCase().includes(text)) return true
  await breath()
  for (const node of (JSON.parse(json) as Folder).nodes) {
    const entry = printed(node, path)
    if (String(entry.name).toLowerCase().includes(text) && !take(entry)) return false
    if (node.subtree && !(await search(blobs, node.subtree, String(entry.path), text, take))) return false
  }
  return true
}
