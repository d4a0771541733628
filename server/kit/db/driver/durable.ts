import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'

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
 * PGlite neither syncs its files nor lets PostgreSQL do so: a power cut lost what the kernel had not written yet, half a
 * minute. With these settings PostgreSQL syncs its log at each commit, and before its pages, as it does elsewhere.
 */
export const durable = {
  startParams: PGlite.defaultStartParams.filter((param) => param !== '-F'), // -F turns fsync off
  // of the methods fsync alone reaches `stream_ops.fsync`
  settings: ['wal_sync_method = fsync'],
}

/** Connects the fsync of PostgreSQL to the one of the machine. */
export async function connectFsync(lite: PGlite, folder: string, failed: (error: unknown) => void): Promise<void> {
  // what initdb, replay and migrations wrote: the machine syncs a thousand files together, and without blocking us
  await lite.exec('checkpoint')
  promisify(execFile)('sync', ['-f', folder]).catch(failed)
  const files = (lite.Module as unknown as { NODEFS: NodeFiles }).NODEFS // not in the types of the module
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
