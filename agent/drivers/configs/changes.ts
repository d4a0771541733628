import { lstat, readFile, readlink, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ConfigService, NO_CONTENT, type ResetFile, type ResetPreview } from '@innkeeper/contract/agent/configs'
import type * as z from 'zod'
import { absent, type Ledger, readLedger, sha } from '../../kit/host.ts'
import { type Names, names } from './collect.ts'
import { keptContent } from './secrets.ts'
import { isWithin, sourceOf } from './services.ts'

export interface Asked {
  service: ConfigService
  files: z.output<typeof ResetFile>[]
  remove: string[]
}
/** The present or the wanted state of a file: its content with mode and owner, or the target of a symlink. */
export type Standing = { content: Buffer; mode: number; uid: number; gid: number } | { target: string }
export interface Change {
  path: string
  /** Undefined: the file is removed. */
  to: Standing | undefined
  from: Standing | undefined
}
type Judged = z.input<typeof ResetPreview>['files'][number]

/** The present state of the file at a path; undefined if there is none. */
export async function standingAt(path: string): Promise<Standing | undefined> {
  const stats = await lstat(path).catch(absent)
  if (!stats) return undefined
  if (stats.isSymbolicLink()) return { target: await readlink(path) }
  if (!stats.isFile()) throw new Error(`${path} is neither a file nor a symlink`)
  return { content: await readFile(path), mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid }
}

/**
 * The changes of a reset, and what happens to each file. A file of Innkeeper returns only to the content that Innkeeper
 * wrote last: an older one would serve a website that has been changed, moved or deleted since.
 */
export async function changesOf({ service, files, remove }: Asked): Promise<{ changes: Change[]; judged: Judged[] }> {
  const source = sourceOf(service)
  const [ledger, owners] = [readLedger(), await names()]
  const changes: Change[] = []
  const judged: Judged[] = []
  type Find = () => Promise<Standing | undefined | { reason: string }>
  /** `hash`: the checksum of a file that was sent without content; the file may be unchanged on this server. */
  const judge = async (path: string, find: Find, hash?: string) => {
    const keep = (reason: string) => judged.push({ path, act: 'kept', reason })
    if (!isWithin(source, path)) return keep(`Not a configuration file of ${service}`)
    if (source.fixed?.[0].test(path)) return keep(source.fixed[1])
    if (await isLinked(dirname(path))) return keep('A symlink leads to its folder')
    const from = await standingAt(path)
    if (hash && from && 'content' in from && sha(from.content) === hash)
      return judged.push({ path, act: 'same', reason: null })
    const to = await find()
    if (to && 'reason' in to) return keep(to.reason)
    if (isSame(from, to)) return judged.push({ path, act: 'same', reason: null })
    const owned = ownedReason(ledger, path, to)
    if (owned) return keep(owned)
    changes.push({ path, from, to })
    judged.push({ path, act: !to ? 'remove' : from ? 'write' : 'create', reason: null })
  }
  for (const file of files) {
    const bare = file.kind === 'file' && file.content === null && !file.seal
    await judge(file.path, () => wantedOf(file, owners), (bare && file.hash) || undefined)
  }
  for (const path of remove) await judge(path, async () => undefined)
  return { changes, judged }
}

/**
 * Whether a symlink is on the way to a folder, or to its nearest parent that exists: the service, whose account owns some
 * of these folders, could otherwise lead a reset elsewhere.
 */
export async function isLinked(folder: string): Promise<boolean> {
  let nearest = folder
  let there = await lstat(nearest).catch(absent)
  while (!there) {
    nearest = dirname(nearest)
    there = await lstat(nearest).catch(absent)
  }
  return there.isSymbolicLink() || (await realpath(nearest)) !== nearest
}

function ownedReason({ files }: Ledger, path: string, to: Standing | undefined): string | undefined {
  const own = files.get(path)?.own
  if (own === undefined) return undefined
  if (own === '-') return to ? 'Innkeeper removed this file since' : undefined
  if (!to) return 'Innkeeper wrote this file since'
  if (own !== sha('content' in to ? to.content : to.target)) return 'Innkeeper changed this file since'
  return undefined
}

async function wantedOf(
  { kind, hash, seal, mode, owner, group, target, content }: z.output<typeof ResetFile>,
  { users, groups }: Names,
): Promise<Standing | { reason: string }> {
  if (kind === 'link') return target === null ? { reason: 'The version has no target of this symlink' } : { target }
  const bytes = seal ? await keptContent(seal) : content === null ? undefined : Buffer.from(content, 'base64')
  if (!bytes) return { reason: seal ? 'Its secrets are no longer kept on this server' : NO_CONTENT }
  if (!seal && sha(bytes) !== hash) return { reason: 'The content does not have the checksum of the version' }
  const [uid, gid] = [numberOf(users, owner), numberOf(groups, group)]
  if (uid === undefined || gid === undefined) return { reason: `Its owner ${owner}:${group} no longer exists` }
  return { content: bytes, mode, uid, gid }
}

function numberOf(known: Map<number, string>, name: string): number | undefined {
  if (/^\d+$/.test(name)) return Number(name)
  for (const [id, one] of known) if (one === name) return id
  return undefined
}

export function isSame(a: Standing | undefined, b: Standing | undefined): boolean {
  if (!a || !b) return a === b
  if ('target' in a || 'target' in b) return 'target' in a && 'target' in b && a.target === b.target
  return a.mode === b.mode && a.uid === b.uid && a.gid === b.gid && a.content.equals(b.content)
}
