import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exchange } from './exchange.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('exchanges two folders, and neither name is ever missing', async () => {
  const [a, b] = ['a', 'b'].map((name) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'index'), name)
    return join(folder, name)
  }) as [string, string]
  const { ino } = statSync(a)
  let over = false
  const seen = new Set<string>()
  const looking = (async () => {
    for (; !over; await turn()) seen.add(readFileSync(join(a, 'index'), 'utf8'))
  })()
  for (let n = 0; n < 21; n++) expect(await exchange(a, b)).toBe(true)
  over = true
  await looking // throws ENOENT if the name was missing once
  expect([...seen].sort()).toEqual(['a', 'b'])
  expect(statSync(b).ino).toBe(ino)
  expect(readdirSync(folder).sort()).toEqual(['a', 'b'])
})

test('exchanges a symlink itself, not its target; if one name is missing, the other stays in place', async () => {
  symlinkSync('/etc', join(folder, 'link'))
  writeFileSync(join(folder, 'file'), 'text')
  expect(await exchange(join(folder, 'link'), join(folder, 'file'))).toBe(true)
  expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('text')
  await expect(exchange(join(folder, 'link'), join(folder, 'missing'))).rejects.toThrow('keep their places')
  expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('text')
})
