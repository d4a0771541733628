import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ensureDirectory, inside, openFolder, read, remove, replace } from './files.ts'

const root = mkdtempSync(join(tmpdir(), 'innkeeper-files-'))
let folder = root
let count = 0
beforeEach(() => {
  folder = join(root, String(++count))
  mkdirSync(folder)
})
afterAll(() => rmSync(root, { recursive: true }))

test('replaces a file with its mode, and answers whether it changed', async () => {
  const file = join(folder, 'x.conf')
  expect(await replace(file, 'one', { mode: 0o600 })).toBe(true)
  expect(await replace(file, 'one', { mode: 0o600 })).toBe(false)
  expect(await replace(file, 'one', { mode: 0o640 })).toBe(true)
  expect(await replace(file, 'two', { mode: 0o640 })).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(lstatSync(file).mode & 0o777).toBe(0o640)
  expect(readdirSync(folder)).toEqual(['x.conf'])
})

test('neither reads nor writes through a symlink, and does not open a symlink as a folder', async () => {
  const precious = join(folder, 'precious')
  mkdirSync(precious)
  writeFileSync(join(precious, 'file'), 'precious')
  symlinkSync(join(precious, 'file'), join(folder, 'link'))
  symlinkSync(precious, join(folder, 'trap'))
  await expect(read(join(folder, 'link'))).rejects.toThrow()
  await expect(replace(join(folder, 'link'), 'bad')).rejects.toThrow(/ordinary/)
  await expect(ensureDirectory(join(folder, 'trap'))).rejects.toThrow()
  await expect(openFolder(join(folder, 'trap'))).rejects.toThrow(/folder of its own/)
  await expect(openFolder(join(folder, 'trap', 'deeper'))).rejects.toThrow(/folder of its own/)
  expect(await remove(join(folder, 'link'))).toBe(true)
  expect(readFileSync(join(precious, 'file'), 'utf8')).toBe('precious')
})

test('keeps an open folder when its path is swapped for a symlink', async () => {
  const own = join(folder, 'own')
  const other = join(folder, 'other')
  mkdirSync(own)
  mkdirSync(other)
  const handle = await openFolder(own)
  rmSync(own, { recursive: true })
  symlinkSync(other, own)
  expect(() => writeFileSync(inside(handle!, 'x'), 'x')).toThrow()
  expect(readdirSync(other)).toEqual([])
  await handle?.close()
})

test('reads a missing file as undefined, and removes it without error', async () => {
  expect(await read(join(folder, 'none'))).toBeUndefined()
  expect(await remove(join(folder, 'none'))).toBe(false)
  expect(await openFolder(join(folder, 'none'))).toBeUndefined()
})

test('gives a folder the requested mode, whatever it had', async () => {
  const made = join(folder, 'made')
  mkdirSync(made)
  chmodSync(made, 0o777)
  await ensureDirectory(made, { mode: 0o710 })
  expect(lstatSync(made).mode & 0o777).toBe(0o710)
})

test('writes of one file at the same time follow each other', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'files-')), 'base')
  const texts = Array.from({ length: 20 }, (_, n) => `text ${n}`)
  expect(await Promise.all(texts.map((text) => replace(file, text)))).toEqual(texts.map(() => true))
  expect(await read(file)).toBe('text 19')
})
