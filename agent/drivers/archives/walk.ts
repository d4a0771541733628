import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { inside, openFolder } from '../../kit/host.ts'
import { directadminMark } from './directadmin.ts'
import { controlDump } from './ispconfig.ts'
import { pleskMark, pleskParts } from './plesk.ts'
import { MANIFEST } from './sealedLayout.ts'
import { type Member, members, TRUNCATED } from './tar.ts'
import { unpacked } from './unpacked.ts'
import { HEADER, isWpress, wpressMembers } from './wpress.ts'
import { isZip, type Places, zipMembers } from './zip.ts'

/** The panel that wrote an archive, and the folder in which everything lies. */
export interface Wrapping {
  format: Inventory['format']
  /** With `/` at its end, or empty. */
  top: string
}

export interface Found {
  member: Member
  /** The path without the wrapping folder; undefined if the name is refused. */
  path: string | undefined
}
/** An archive within the archive cannot be read to its end. */
export interface Fault {
  in: string
  fault: string
}

const nested: Partial<Record<Wrapping['format'], RegExp>> = {
  hestia: /^((?:web\/[^/]+\/domain_data|mail\/[^/]+\/accounts))\.tar(?:\.gz|\.zst)?$/,
  vesta: /^((?:web\/[^/]+\/domain_data|mail\/[^/]+\/accounts))\.tar(?:\.gz|\.zst)?$/,
  cpanel: /^(homedir)\.tar(?:\.gz|\.zst)?$/,
  plesk: pleskParts,
}

/** Opens a regular file without following a link on the way. */
export async function openArchive(path: string): Promise<FileHandle> {
  const folder = await openFolder(dirname(path))
  try {
    if (!folder) throw new Error(`there is no folder ${dirname(path)} on this server`)
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const handle = await open(inside(folder, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: Error) => {
      throw new Error(
        `${path} cannot be opened: ${'code' in error && error.code === 'ELOOP' ? 'it is a link' : error.message}`,
      )
    })
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
    throw new Error(`${path} is not an ordinary file`)
  } finally {
    await folder?.close()
  }
}

/** The bytes of an open file, in their order or at any place. */
interface FileBytes extends AsyncIterable<Buffer>, Places {
  /** Goes on behind these bytes. Throws if the file ends before. */
  skip(bytes: number): Promise<void>
  /** As `range`, in one buffer: each part is gone with the next one. A new buffer for each is a burden for the collector. */
  reused(from: number, length: number): AsyncGenerator<Buffer>
}
const READ_BYTES = 1024 * 1024

/** The bytes of an open file from its beginning. The file stays open. */
export function bytesOf(handle: FileHandle, read: (bytes: number) => void = () => {}): FileBytes {
  let at = 0
  /** Number of bytes after `at` that are read already. */
  let ahead = 0
  let own: Buffer | undefined
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at)
        if (!bytesRead) return
        at += bytesRead
        read(bytesRead)
        yield buffer.subarray(0, bytesRead)
      }
    },
    size: async () => (await handle.stat()).size,
    async *range(from, length) {
      for (let done = 0; done < length; ) {
        const wanted = Math.min(READ_BYTES, length - done)
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, from + done)
        if (!bytesRead) throw new Error(TRUNCATED)
        done += bytesRead
        read(bytesRead)
        yield buffer.subarray(0, bytesRead)
      }
    },
    async *reused(from, length) {
      own ??= Buffer.allocUnsafeSlow(READ_BYTES)
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(own, 0, Math.min(READ_BYTES, length - done), from + done)
        if (!bytesRead) throw new Error(TRUNCATED)
        done += bytesRead
        const fresh = Math.min(bytesRead, Math.max(0, from + done - at - ahead))
        ahead += fresh
        read(fresh)
        yield own.subarray(0, bytesRead)
      }
    },
    async skip(bytes) {
      if (at + bytes > (await handle.stat()).size) throw new Error(TRUNCATED)
      at += bytes
      read(Math.max(0, bytes - ahead))
      ahead = Math.max(0, ahead - bytes)
    },
  }
}

/**
 * All members of an archive in a file. Bodies that nobody reads are skipped if the archive is not compressed: `plain.is`, and
 * bodies lie in the file where members say.
 */
async function* membersOf(bytes: FileBytes, plain = { is: false }): AsyncGenerator<Member> {
  const size = await bytes.size()
  const head: Buffer[] = []
  for await (const part of bytes.range(0, Math.min(HEADER, size))) head.push(part)
  const first = Buffer.concat(head)
  if (isZip(first)) return yield* zipMembers(bytes)
  if (isWpress(first))
    return yield* wpressMembers(bytes, async (length) => {
      await bytes.skip(length)
      return true
    })
  const onPlain = () => {
    plain.is = true
  }
  const packed = (behind: number) => bytes.reused(behind, size - behind)
  yield* members(unpacked(bytes, { onPlain, packed }), async (length) => {
    if (plain.is) await bytes.skip(length)
    return plain.is
  })
}

/** What lies beside the description of an account of cPanel. */
const ofCpanel =
  /^((?:[^/]+\/)?)(?:homedir(?:_paths|\.tar(?:\.\w{1,4})?|\/.*)?|(?:dnszones|va)\/.*|proftpdpasswd|mysql\.sql|sds2?|pds|apache_tls)$/

/** Recognises the panel by the names in the archive. Without one, the archive is a plain folder. */
export async function wrappingOf(bytes: FileBytes): Promise<Wrapping> {
  let weak: string | undefined
  let count = 0
  const [described, marked] = [new Set<string>(), new Set<string>()]
  for await (const { path } of membersOf(bytes)) {
    if (path === undefined) continue
    count++
    if (path === MANIFEST) return { format: 'machine', top: '' }
    if (directadminMark.test(path)) return { format: 'directadmin', top: '' }
    if (controlDump.test(path)) return { format: 'ispconfig', top: '' }
    if (pleskMark.test(path)) return { format: 'plesk', top: '' }
    const own = /^(hestia|vesta)(?:\/|$)/.exec(path)?.[1]
    if (own) return { format: own as 'hestia' | 'vesta', top: '' } // the pattern has these two
    const main = /^((?:[^/]+\/)?)userdata\/main$/.exec(path)
    if (main) return { format: 'cpanel', top: main[1] ?? '' }
    const account = /^((?:[^/]+\/)?)cp\/[^/]+$/.exec(path)?.[1]
    if (account !== undefined) described.add(account)
    const mark = ofCpanel.exec(path)?.[1]
    if (mark !== undefined) marked.add(mark)
    // a website may have a folder cp, too
    const top = account ?? mark
    if (top !== undefined && described.has(top) && marked.has(top)) return { format: 'cpanel', top }
    weak ??= /^((?:[^/]+\/)?)(?:homedir_paths|homedir\.tar|apache_tls)$/.exec(path)?.[1]
  }
  if (weak !== undefined) return { format: 'cpanel', top: weak }
  if (count) return { format: 'plain', top: '' }
  throw new Error('This archive is empty, or no archive')
}

/** All members, also those of archives within the archive that belong to its format. `deep`: false leaves those closed. */
export async function* walk(
  bytes: FileBytes,
  { format, top }: Wrapping,
  deep: (path: string) => boolean,
): AsyncGenerator<Found | Fault> {
  const plain = { is: false }
  for await (const member of membersOf(bytes, plain)) {
    const path = withoutTop(member.path, top)
    const inner = path === undefined || member.type !== 'file' ? undefined : nested[format]?.exec(path)?.[1]
    if (inner === undefined) {
      yield { member, path }
      continue
    }
    if (!deep(inner)) continue
    try {
      const { at = 0, size } = member
      const packed = (behind: number) => bytes.reused(at + behind, size - behind)
      for await (const one of members(unpacked(member.body(), plain.is ? { packed } : {})))
        yield {
          member: one,
          path: one.path === undefined ? undefined : one.path === '' ? inner : `${inner}/${one.path}`,
        }
    } catch (error) {
      if (error instanceof Stop) throw error
      yield { in: inner, fault: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Thrown by who reads: not a fault of the archive. */
export class Stop extends Error {}

function withoutTop(path: string | undefined, top: string): string | undefined {
  if (path === undefined || top === '') return path
  return path.startsWith(top) ? path.slice(top.length) : `${path}/`.startsWith(top) ? '' : path
}
