import type { FileHandle } from 'node:fs/promises'
import { allInOneLayout } from './allInOne.ts'
import { cpanelLayout, cpanelRecord } from './cpanel.ts'
import { directadminLayout, directadminRecord } from './directadmin.ts'
import { hestiaLayout, hestiaRecord } from './hestia.ts'
import { controlDump, controlTables, ispconfigLayout, type Lying } from './ispconfig.ts'
import type { Layout } from './layout.ts'
import { dumpIn, plainLayout } from './plain.ts'
import { pleskLayout, pleskName, pleskRecord } from './plesk.ts'
import { isAppConfig } from './records.ts'
import { MANIFEST, sealedLayout } from './sealedLayout.ts'
import { type Tables, tablesIn } from './sqlRows.ts'
import { textOf, unpacked } from './unpacked.ts'
import { bytesOf, type Wrapping, walk } from './walk.ts'

const MOST_RECORD = 1_048_576
const MOST_MANIFEST = 4 * 1_048_576
const MOST_CONFIG = 262_144
const MOST_RECORDS = 20_000
const MOST_RECORD_BYTES = 64 * 1_048_576
const MOST_NAMES = 50_000
const MOST_FOLDERS = 300_000
const MOST_DEPTH = 9
/** Members whose names the layout needs, besides records. */
const named =
  /^(?:db|mysql|user_dir|psql|vf|vad|mm|mma|team|resellerconfig|dnssec_keys|homedir\/\.autorespond)\/|^backup\/[^/]+$|^innkeeper\.end$/

const isRecord: Record<Wrapping['format'], (path: string, size: number) => boolean> = {
  hestia: (path) => hestiaRecord.test(path),
  vesta: (path) => hestiaRecord.test(path),
  cpanel: (path) => cpanelRecord.test(path),
  directadmin: (path) => directadminRecord.test(path),
  machine: (path) => path === MANIFEST,
  plesk: (path, size) => pleskRecord(path) && (path.endsWith('.xml') || size <= MOST_CONFIG),
  plain: (path, size) =>
    size <= MOST_CONFIG && (path === 'package.json' || (isAppConfig(path) && path.split('/').length <= 6)),
  ispconfig: () => false,
}

/** What the small files of an archive say. */
export async function layoutOf(handle: FileHandle, wrapping: Wrapping, typed?: string): Promise<Layout> {
  const { format } = wrapping
  const isFolders = format === 'plain' || format === 'ispconfig'
  const [records, names, folders] = [new Map<string, string>(), new Map<string, number>(), new Set<string>()]
  let tables: Tables = {}
  let bytes = 0
  for await (const one of walk(bytesOf(handle), wrapping, (inner) => inner === 'homedir' || format === 'plesk')) {
    if ('fault' in one) {
      const part = format === 'plesk' ? pleskName(one.in) : undefined
      if (part !== undefined) names.set(part, 0) // it is there, and breaks off
      continue
    }
    if (one.path === undefined) continue
    const { path, member } = one
    if (isFolders)
      noteFolders(folders, member.type === 'folder' ? path : path.slice(0, Math.max(0, path.lastIndexOf('/'))))
    if (member.type !== 'file') continue
    const wanted = isFolders ? dumpIn.test(path) || !path.includes('/') : named.test(path)
    const name = format === 'plesk' ? pleskName(path) : wanted ? path : undefined
    if (name !== undefined && names.size < MOST_NAMES) names.set(name, member.size)
    if (format === 'ispconfig' && controlDump.test(path))
      tables = await tablesIn(unpacked(member.body()), controlTables)
    if (!isRecord[format](path, member.size) || records.has(path)) continue
    bytes += member.size
    if (records.size >= MOST_RECORDS || bytes > MOST_RECORD_BYTES)
      throw new Error('its descriptions of websites and mailboxes are larger than 64 MB')
    const most = path === MANIFEST || format === 'plesk' ? MOST_MANIFEST : MOST_RECORD
    const text = await textOf(member.body(), most)
    if (text === undefined) throw new Error(`${path} is larger than ${most / 1_048_576} MB`)
    records.set(path, text)
  }
  if (format === 'cpanel') return cpanelLayout(records, names)
  if (format === 'plesk') return pleskLayout(records, names)
  if (format === 'directadmin') return directadminLayout(records, names)
  if (format === 'ispconfig') return ispconfigLayout(tables, lyingIn(folders, names))
  if (format === 'plain') return allInOneLayout(records, names, typed) ?? plainLayout(records, names, folders, typed)
  if (format === 'machine') return sealedLayout(records.get(MANIFEST), names)
  return hestiaLayout(format, records, names)
}

function noteFolders(folders: Set<string>, path: string): void {
  const parts = path.split('/').slice(0, MOST_DEPTH)
  for (let n = parts.length; n > 0; n--) {
    const folder = parts.slice(0, n).join('/')
    if (folder === '' || folders.has(folder)) return
    if (folders.size >= MOST_FOLDERS) throw new Error(`it has more than ${MOST_FOLDERS} folders`)
    folders.add(folder)
  }
}

/** Finds folders of the former server, also if the archive begins below `/var` or has another folder around all. */
function lyingIn(folders: ReadonlySet<string>, names: ReadonlyMap<string, number>): Lying {
  const tops = new Set([
    '',
    ...[...folders].flatMap((one) => /^((?:[^/]+\/){1,3})(?:var|www|clients|vmail)$/.exec(one)?.[1] ?? []),
  ])
  return {
    folder(path) {
      const parts = path.split('/').filter(Boolean)
      if (!parts.length) return undefined
      for (const skip of [0, 1, 2])
        for (const top of tops) {
          const found = `${top}${parts.slice(skip).join('/')}`
          if (folders.has(found)) return found
        }
      return undefined
    },
    dump(name) {
      const found = [...names]
        .flatMap(([path, size]) => {
          const stem = dumpIn.exec(path)?.[1]
          return stem === name || stem?.startsWith(`db_${name}_20`) ? [{ path, size }] : []
        })
        .toSorted((a, b) => (a.path < b.path ? 1 : -1))
      return found[0]
    },
  }
}
