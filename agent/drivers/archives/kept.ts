import { type FileHandle, readdir } from 'node:fs/promises'
import { absent, ensureDirectory, places, read, remove, replace } from '../../kit/host.ts'
import type { Layout } from './layout.ts'
import { openArchive, type Wrapping } from './walk.ts'

const folder = `${places.state}/archives`
const fileOf = (importId: number) => `${folder}/${importId}.json`
/** Where an uploaded archive lies. */
export const uploadedFile = (importId: number) => `${places.imports}/upload-${importId}.archive`

/** What a look keeps for the steps of the import. Readable by root: hashes and private keys are in it. */
export interface Kept extends Layout {
  wrapping: Wrapping
  /** Identity of the archive that was looked at. */
  seen: string
}

export async function keep(importId: number, kept: Kept): Promise<void> {
  await ensureDirectory(folder, { mode: 0o700 })
  await replace(fileOf(importId), JSON.stringify(kept), { mode: 0o600 })
}

export async function keptOf(importId: number): Promise<Kept> {
  const text = await read(fileOf(importId))
  if (text === undefined) throw new Error('this server has not looked at the archive, or has dropped it: look again')
  return JSON.parse(text) as Kept // our own file
}

/** A file beside what the look has kept, such as what a repeated import replaces. */
export const besideKept = (importId: number, name: string) => `${folder}/${importId}-${name}`

export async function forget(importId: number): Promise<boolean> {
  for (const name of (await readdir(folder).catch(absent)) ?? [])
    if (name.startsWith(`${importId}-`)) await remove(`${folder}/${name}`)
  return remove(fileOf(importId))
}

export async function identityOf(handle: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeMs } = await handle.stat()
  return `${dev}/${ino}/${size}/${mtimeMs}`
}

/** Opens the archive of an import. With `seen`, throws if it is another one than at the look. */
export async function opened(
  { importId, archive }: { importId: number; archive?: string | undefined },
  seen?: string,
): Promise<FileHandle> {
  const handle = await openArchive(archive ?? uploadedFile(importId))
  if (seen === undefined || (await identityOf(handle)) === seen) return handle
  await handle.close()
  throw new Error('the archive has changed since it was looked at: look again')
}
