import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a key for its owner only. After a power cut the file is the former one or the whole new one: every secret is
 * lost with its key.
 */
export function writeKeyFile(file: string, key: string): void {
  renameSync(written(file, key), file)
  syncFolder(dirname(file))
}

/** Like `writeKeyFile`, but keeps a file that another process wrote meanwhile. */
export function beginKeyFile(file: string, key: string): void {
  const aside = written(file, key)
  try {
    linkSync(aside, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(aside)
  }
  syncFolder(dirname(file))
}

function written(file: string, key: string): string {
  const aside = `${file}.partial-${process.pid}`
  writeFileSync(aside, key, { mode: 0o600, flush: true })
  return aside
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
