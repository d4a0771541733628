import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isCheckout, serverFolder } from '../app/serverFolder.ts'
import type { Settings } from '../app/settings.ts'
import { openDatabase } from '../db/open.ts'
import { backup } from './backup.ts'
import { readBackup } from './backupFile.ts'
import { restore } from './restore.ts'

/** By table: the number of rows, and a checksum that does not depend on their order. */
export type Contents = Record<string, string>
/** Tables that are not compared, because a restore changes them: it ends all sessions. */
const changes: ReadonlySet<string> = new Set(['sessions'])
const BITS = 64
/** The program of `proveApart`: in a checkout its source, in a package its bundle. */
const proving = join(serverFolder, isCheckout ? 'kit/ownBackup/proving.ts' : 'dist/proving.mjs')

/** Row counts and checksums of the tables in a backup file. */
export async function contentsOf(path: string): Promise<Contents> {
  const sums = new Map<string, { rows: number; sum: bigint }>()
  await readBackup(path, async (part, batch) => {
    if (part.part !== 'table' || changes.has(part.name)) return
    const of = sums.get(part.name) ?? { rows: 0, sum: 0n }
    for (const line of batch) of.sum += createHash('sha256').update(line).digest().readBigUInt64BE()
    of.rows += batch.length
    sums.set(part.name, of)
  })
  return Object.fromEntries(
    [...sums].map(([name, { rows, sum }]) => [name, `${rows} ${BigInt.asUintN(BITS, sum).toString(16)}`]),
  )
}

/**
 * Restores a backup into a scratch database, backs this database up, and returns the tables that differ. The restore
 * also proves that the present key decrypts every secret.
 */
export async function proveBackup(
  path: string,
  { key, dataDir }: Pick<Settings, 'key' | 'dataDir'>,
  expected: Contents,
  say: (line: string) => void = () => {},
): Promise<string[]> {
  const folder = await mkdtemp(join(dataDir, 'scratch-'))
  try {
    const place = { database: join(folder, 'db'), dataDir: folder, embedded: true, key }
    await restore(place, path, { say })
    const opened = await openDatabase(place.database, { schema: 'as-is', now: true })
    const again = join(folder, 'again')
    try {
      await backup(opened.db, place, again)
    } finally {
      await opened.close()
    }
    const found = await contentsOf(again)
    return [...new Set([...Object.keys(expected), ...Object.keys(found)])].filter(
      (name) => expected[name] !== found[name],
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs `proveBackup` in a separate process with low priority, because an embedded database blocks the thread that
 * opened it.
 */
export async function proveApart(
  path: string,
  { key, dataDir }: Pick<Settings, 'key' | 'dataDir'>,
  expected: Contents,
  signal: AbortSignal,
): Promise<string[]> {
  const child = spawn(process.execPath, [proving], {
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  child.stdin.on('error', () => {}) // if the process ends before it has read its input, its exit code is reported below
  child.stdin.end(JSON.stringify({ path, place: { key, dataDir }, expected }))
  const [out, said, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0)
    throw new Error(`it cannot be restored: ${said.trim().slice(-600) || `its process ended with ${code}`}`)
  return JSON.parse(out) as string[] // safe cast: the output of proving.ts
}
