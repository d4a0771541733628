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
 * By default PGlite never syncs its files, so that a power cut loses the changes that the kernel has not written yet,
 * up to half a minute. With these settings PostgreSQL syncs its WAL at each commit and before it writes pages, as
 * usual.
 */
export const durable = {
  startParams: PGlite.defaultStartParams.filter((param) => param !== '-F'), // -F turns fsync off
  // `fsync` is the only method that calls `stream_ops.fsync`
  settings: ['wal_sync_method = fsync'],
}

/** Makes PGlite's fsync call the fsync of the operating system. */
export async function connectFsync(lite: PGlite, folder: string, failed: (error: unknown) => void): Promise<void> {
  // syncs the thousand files that initdb, replay and migrations wrote, all together and without blocking this process;
  // a write that is acknowledged before would stand on files that a power cut takes
  await lite.exec('checkpoint')
  await promisify(execFile)('sync', ['-f', folder]).catch(failed)
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
