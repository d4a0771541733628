import { createDecipheriv, createHash } from 'node:crypto'
import { open, readdir, readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { absent, ensureDirectory, exclusive, places, replace } from '../../kit/host.ts'
import { ask, type Local, local, repositoryPath } from './ask.ts'
import { placesOf, type Table } from './treeTable.ts'

const unpack = promisify(zstdDecompress)
const MINUTE = 60_000
const KEY_MS = 10 * MINUTE
const MOST_KEYS = 50
const MOST_TREE = 512 * 1024 ** 2
const hash = (text: Buffer) => createHash('sha256').update(text).digest('hex')
const tablesOf = (account: string) => `${places.state}/backup-trees/${account}`

/** What restic stores about an entry of a folder. `name` has the escapes of Go. */
export interface StoredNode {
  name: string
  type: string
  subtree?: string
  [field: string]: unknown
}

/**
 * Reads folders of snapshots in a repository on this backup server without restic, which loads the whole index of the
 * repository for each: 2 s of processor time with a million files. Content is compared with the SHA-256 that names it.
 */
export interface Blobs {
  /** The id of the root folder of a snapshot. */
  rootOf(snapshot: string): Promise<string>
  /** The JSON of a folder. */
  tree(id: string): Promise<Buffer>
}

const keys = new Map<string, { key: Buffer; until: number }>()

/** The key that encrypts the repository. restic reads it, and with it proves the password. */
async function keyOf(repository: Local): Promise<Buffer> {
  const name = hash(Buffer.from(JSON.stringify([repository.account, repository.password])))
  const known = keys.get(name)
  if (known && known.until > performance.now()) return known.key
  const { stderr, messages } = await ask(await local(repository), ['cat', 'masterkey', '--no-lock'], {})
  const text = messages.length ? JSON.stringify(messages[0]) : stderr.slice(Math.max(0, stderr.indexOf('{')))
  const key = Buffer.from(String((JSON.parse(text) as { encrypt?: unknown }).encrypt), 'base64')
  if (key.length !== 32) throw new Error('restic answered no key')
  if (keys.size >= MOST_KEYS) keys.clear()
  keys.set(name, { key, until: performance.now() + KEY_MS })
  return key
}

/** restic encrypts with AES-256 in counter mode; the text follows its nonce and precedes its code of authentication. */
function decrypted(key: Buffer, text: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-ctr', key, text.subarray(0, 16))
  return Buffer.concat([cipher.update(text.subarray(16, -16)), cipher.final()])
}

export async function blobsOf(repository: Local): Promise<Blobs> {
  const home = repositoryPath(repository.account)
  const key = await keyOf(repository)
  const file = async (folder: string, id: string): Promise<Buffer> => {
    const stored = await readFile(`${home}/${folder}/${id}`)
    if (hash(stored) !== id) throw new Error(`${folder}/${id} of ${repository.account} is damaged`)
    const text = decrypted(key, stored)
    // JSON itself, or the number of the format with compressed JSON
    return text[0] === 2 ? unpack(text.subarray(1), { maxOutputLength: MOST_TREE }) : text
  }
  const tables = await tablesIn(repository.account, home, (id) => file('index', id))
  return {
    async rootOf(snapshot) {
      const { tree } = JSON.parse(String(await file('snapshots', snapshot))) as { tree?: unknown }
      if (typeof tree !== 'string') throw new Error(`snapshot ${snapshot} has no folder`)
      return tree
    },
    async tree(id) {
      const place = tables
        .values()
        .map((table) => table.find(id))
        .find((found) => found !== undefined)
      if (!place) throw new Error(`folder ${id} is in no index of ${repository.account}`)
      const { pack, offset, length, whole } = place
      const handle = await open(`${home}/data/${pack.slice(0, 2)}/${pack}`)
      try {
        const stored = Buffer.alloc(length)
        const { bytesRead } = await handle.read(stored, 0, length, offset)
        const text = decrypted(key, stored.subarray(0, bytesRead))
        const tree = whole ? await unpack(text, { maxOutputLength: MOST_TREE }) : text
        if (hash(tree) !== id) throw new Error(`folder ${id} of ${repository.account} is damaged`)
        return tree
      } finally {
        await handle.close()
      }
    },
  }
}

/** Where the folders of a repository are, from a table for each of its index files, which never change. */
const tablesIn = (account: string, home: string, read: (id: string) => Promise<Buffer>): Promise<Table[]> =>
  exclusive(`trees of ${account}`, async () => {
    const folder = tablesOf(account)
    await ensureDirectory(`${places.state}/backup-trees`, { mode: 0o700 })
    await ensureDirectory(folder, { mode: 0o700 })
    const there = (await readdir(`${home}/index`)).filter((id) => /^[0-9a-f]{64}$/.test(id))
    const tables: Table[] = []
    for (const id of there) {
      const known = await readFile(`${folder}/${id}`).catch(absent)
      const table = placesOf(known ?? (await read(id)), known !== undefined)
      if (!known) await replace(`${folder}/${id}`, table.packed, { mode: 0o600 })
      tables.push(table)
    }
    const gone = (await readdir(folder)).filter((id) => !there.includes(id))
    for (const id of gone) await rm(`${folder}/${id}`, { force: true })
    return tables
  })

/** Removes what is known about the folders of a repository. */
export const forgetTrees = (account: string): Promise<void> => rm(tablesOf(account), { recursive: true, force: true })
