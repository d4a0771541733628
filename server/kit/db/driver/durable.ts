import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'

/** Pause between two flushes of the log: at most so much is lost when the power fails, and the time of a flush. */
const FLUSH_MS = 500

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
 * minute. With these settings PostgreSQL syncs its log before its pages, as it does elsewhere. Commits do not wait for
 * the log; `keepFlushing` writes it twice a second.
 */
export const durable = {
  startParams: PGlite.defaultStartParams.filter((param) => param !== '-F'), // -F turns fsync off
  // of the methods fsync alone reaches `stream_ops.fsync`
  settings: ['wal_sync_method = fsync', 'synchronous_commit = off'],
}

/** Connects the fsync of PostgreSQL to the one of the machine, and keeps the log flushed. Returns how to stop. */
export async function keepFlushing(
  lite: PGlite,
  folder: string,
  failed: (error: unknown) => void,
): Promise<() => void> {
  // what initdb, replay and migrations wrote: the machine syncs a thousand files together, and without blocking us
  await lite.exec('checkpoint')
  promisify(execFile)('sync', ['-f', folder]).catch(failed)
  const files = (lite.Module as unknown as { NODEFS: NodeFiles }).NODEFS // not in the types of the module
  files.stream_ops.fsync = ({ nfd, node }) => {
    if (nfd !== undefined) fs.fdatasyncSync(nfd)
    else syncFolder(files.realPath(node))
    return 0
  }

  let underWay = false
  const timer = setInterval(() => {
    if (underWay) return
    underWay = true
    flush(lite)
      .catch((error: unknown) => {
        if (!lite.closed) failed(error)
      })
      .finally(() => {
        underWay = false
      })
  }, FLUSH_MS)
  return () => clearInterval(timer)
}

async function flush(lite: PGlite): Promise<void> {
  const { rows } = await lite.query<{ behind: boolean }>(
    'select pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn() as behind',
  )
  // the last argument flushes the log up to this message
  if (rows[0]?.behind) await lite.query("select pg_logical_emit_message(false, 'innkeeper', '', true)")
}

function syncFolder(path: string): void {
  const folder = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
}
