import type { Stats } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { type ConfigFile, configPath } from '@innkeeper/contract/agent/configs'
import { absent, adopt, codeOf, run, sha } from '../../kit/host.ts'
import { authorOf, type Origins } from './authors.ts'
import { isSecret, keep, mask, sealOf } from './secrets.ts'
import { type ConfigSource, isWithin, sources } from './services.ts'

/** Larger files are collected by checksum only: configuration is written by people. */
const MOST_BYTES = 131_072

export interface Found {
  path: string
  source: ConfigSource
  stats: Stats
}

/** All files and symlinks of all services in the order of their paths, and how many have names that cannot be shown. */
export async function walk(): Promise<{ found: Found[]; skipped: number }> {
  const found: Found[] = []
  let skipped = 0
  const visit = async (path: string, source: ConfigSource): Promise<void> => {
    const stats = await lstat(path).catch(absent)
    if (!stats) return
    if (stats.isDirectory()) {
      const names = await readdir(path)
      for (const name of names) await visit(`${path}/${name}`, source)
    } else if (stats.isFile() || stats.isSymbolicLink()) {
      if (!isWithin(source, path)) return
      if (configPath.safeParse(path).success) found.push({ path, source, stats })
      else skipped++
    }
  }
  for (const source of sources) for (const root of source.roots) await visit(root, source)
  return { found: found.toSorted((a, b) => (a.path < b.path ? -1 : 1)), skipped }
}

export interface Names {
  users: Map<number, string>
  groups: Map<number, string>
}
export const names = async (): Promise<Names> => ({
  users: numbered((await run(['getent', 'passwd'])).stdout),
  groups: numbered((await run(['getent', 'group'])).stdout),
})
const numbered = (text: string) =>
  new Map(
    text.split('\n').flatMap((line): [number, string][] => {
      const [name = '', , id = ''] = line.split(':')
      return name ? [[Number(id), name]] : []
    }),
  )

export interface Collected {
  file: ConfigFile
  /** The content as collected, with secrets masked; absent: only the checksum is collected. */
  content?: Buffer
}

/** Describes one file; undefined if the file was deleted meanwhile. */
export async function collect(
  found: Found,
  known: Origins,
  { users, groups }: Names,
  key: Buffer,
): Promise<Collected | undefined> {
  const { path, source, stats } = found
  const base = {
    ...{ path, service: source.service, size: stats.size, mode: stats.mode & 0o7777 },
    owner: users.get(stats.uid) ?? `${stats.uid}`,
    group: groups.get(stats.gid) ?? `${stats.gid}`,
    changedAt: stats.mtime.toISOString(),
  }
  if (stats.isSymbolicLink()) {
    const target = await readlink(path).catch(absent)
    if (target === undefined) return undefined
    const author = authorOf({ path, sha: sha(target), content: undefined, changedMs: stats.ctimeMs }, known)
    const file: ConfigFile = { ...base, kind: 'link', hash: sha(target), seal: null, hidden: null, target, ...author }
    return { file }
  }
  const content = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!content) return undefined
  const text = content.toString()
  if (stats.ctimeMs < known.since) adoptOld(path, text, content, known)
  const author = authorOf({ path, sha: sha(content), content, changedMs: stats.ctimeMs }, known)
  const file: ConfigFile = { ...base, kind: 'file', hash: null, seal: null, hidden: null, target: null, ...author }
  if (isSecret(path, text)) return { file: { ...file, seal: sealOf(content, key), hidden: 'secret' } }
  if (content.length > MOST_BYTES || content.includes(0))
    return { file: { ...file, hash: sha(content), hidden: content.includes(0) ? 'binary' : 'large' } }
  const masked = mask(path, text, key)
  if (masked === text) return { file: { ...file, hash: sha(content) }, content }
  const seal = sealOf(content, key)
  await keep(seal, content)
  return { file: { ...file, hash: sha(masked), seal }, content: Buffer.from(masked) }
}

/** Adds a file to the ledger if its first line says that Innkeeper wrote it: earlier agents had no ledger. */
function adoptOld(path: string, text: string, content: Buffer, { ledger }: Origins): void {
  if (ledger.files.has(path) || !/^(?:#|;|\/\/) Written by Innkeeper/.test(text)) return
  adopt(path, sha(content))
  ledger.files.set(path, { by: sha(content), own: sha(content) })
}
