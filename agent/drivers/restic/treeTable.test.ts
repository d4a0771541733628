import { expect, test } from 'vitest'
import { nameOf } from './snapshotTree.ts'
import { placesOf } from './treeTable.ts'

const id = (n: number) => n.toString(16).padStart(64, '0')
const blob = (n: number, type: string) => ({
  id: id(n),
  type,
  offset: n,
  length: 100 + n,
  uncompressed_length: 200 + n,
})

test('the table of an index finds each folder and no content of a file', () => {
  const packs = [
    { id: id(900), blobs: [blob(7, 'data'), blob(8, 'data')] },
    { id: id(901), blobs: [blob(5, 'tree'), blob(3, 'tree')] },
    { id: id(902), blobs: [blob(6, 'data')] },
    { id: id(903), blobs: [blob(9, 'data'), { ...blob(4, 'tree'), uncompressed_length: undefined }] },
  ]
  const table = placesOf(Buffer.from(JSON.stringify({ supersedes: [id(1)], packs })), false)
  const again = placesOf(table.packed, true)
  for (const one of [table, again]) {
    expect(one.find(id(3))).toEqual({ pack: id(901), offset: 3, length: 103, whole: 203 })
    expect(one.find(id(5))).toMatchObject({ pack: id(901) })
    expect(one.find(id(4))).toMatchObject({ pack: id(903), whole: 0 })
    expect([2, 6, 7, 8, 9].map((n) => one.find(id(n)))).toEqual(Array(5).fill(undefined))
  }
  expect(placesOf(Buffer.from('{"packs":[]}'), false).find(id(3))).toBeUndefined()
})

test('names are read as Go quotes them', () => {
  const names = ['é.txt', 'new\\nline', '\\"q\\"\\\\', 'latin\\xe9', '\\u00a0\\U0001f600', 'a\\tb']
  expect(names.map((name) => nameOf({ name }))).toEqual([
    'é.txt',
    'new\nline',
    '"q"\\',
    'latin\ufffd',
    '\u00a0😀',
    'a\tb',
  ])
})
