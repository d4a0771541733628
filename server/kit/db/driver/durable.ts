import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

interface Stream {
  /** File descriptor of this process; absent for a folder. */
  nfd?: number
  node: unknown
}
interface NodeFiles {
  stream_ops: { fsync?: (stream: Stream) => number }
  realPath(node: unknown): string
}

/**
 * By default PGlite never syncs its files, so that a power cut loses the changes that the kernel has not written yet,
 * up to half a minute. With these settings PostgreSQL syncs its WAL at each commit and before it writes pages, as
 * usual.
 */
export const durable = {
  startParams: PGlite.defaultStartParams.filter((param) => param !== '-F'), // -F turns fsync off
  // `fsync` is the only method that calls `stream_ops.fsync`
  settings: ['wal_sync_method = fsync'],
}

/**
 * The folder of the database. PGlite's fsync calls the fsync of the operating system from the beginning: a start after a power
 * cut replays the WAL and notes that this is done, which must not reach the disk before the pages. A new folder is synced once
 * it is complete, because initdb would sync a thousand files one by one.
 */
export class DurableFiles extends NodeFS {
  override async init(...[lite, given]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts: options } = await super.init(lite, given)
    if (!fs.existsSync(join(this.rootDir, 'PG_VERSION'))) return { emscriptenOpts: options }
    const connect = (module: unknown) => connectFsync((module as Mounted).NODEFS)
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), connect] } }
  }
}

/** Not in the types of the module. */
interface Mounted {
  NODEFS: NodeFiles
}

/** Syncs a folder that was made without fsync, and connects it for what follows. */
export async function settleFolder(lite: PGlite, folder: string, failed: (error: unknown) => void): Promise<void> {
  // the thousand files that initdb and migrations wrote, all together and without blocking this process; a write that is
  // acknowledged before would stand on files that a power cut takes
  await lite.exec('checkpoint')
  await promisify(execFile)('sync', ['-f', folder]).catch(failed)
  connectFsync((lite.Module as unknown as Mounted).NODEFS)
}

function connectFsync(files: NodeFiles): void {
  files.stream_ops.fsync = ({ nfd, node }) => {
    if (nfd !== undefined) fs.fdatasyncSync(nfd)
    else syncFolder(files.realPath(node))
    return 0
  }
}

function syncFolder(path: string): void {
  const folder = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
}
