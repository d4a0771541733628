import { describe, expect, test } from 'vitest'
import { compareTrees, type Entry, leftOut, shown } from './tree.ts'

const entry = (path: string, more: Partial<Entry> = {}): Entry => ({
  path,
  type: 'f',
  size: 1,
  time: '1.5',
  target: '',
  ...more,
})
const link = (path: string, target: string) => entry(path, { type: 'l', target })

describe('the files to copy', () => {
  test.for([
    ['a', 'b'],
    ['a/b/c', '../../x'],
    ['a/b', './../b'],
    ['a', 'b/../c'],
  ])('a link %s to %s stays within', ([path = '', target = '']) => {
    expect(leftOut(link(path, target))).toBeUndefined()
  })
  test.for([
    ['a', '/etc/passwd'],
    ['a', '..'],
    ['a', '../x'],
    ['a/b', '../../x'],
    ['a/b', 'c/../../../x'],
  ])('a link %s to %s leads out', ([path = '', target = '']) => {
    expect(leftOut(link(path, target))).toContain('leads out')
  })
  test('exclude sockets, pipes and devices', () => {
    for (const type of ['s', 'p', 'b', 'c'])
      expect(leftOut(entry('x', { type }))).toBe('is neither a file nor a folder')
  })
})

test('differ by size, nanosecond time, kind and link target; folders do not', () => {
  const before = [
    entry('same'),
    entry('size'),
    entry('time'),
    entry('kind'),
    link('link', 'a'),
    entry('gone'),
    entry('dir', { type: 'd' }),
  ]
  const now = [
    ...[entry('same'), entry('size', { size: 2 }), entry('time', { time: '1.6' }), entry('kind', { type: 'd' })],
    ...[link('link', 'b'), entry('new'), entry('dir', { type: 'd', time: '9' })],
  ]
  const { added, changed, gone } = compareTrees(before, now)
  const names = (some: Entry[]) => some.map(({ path }) => path)
  expect([names(added), names(changed), names(gone)]).toEqual([['new'], ['size', 'time', 'kind', 'link'], ['gone']])
})

test('have readable names, whatever their bytes', () => {
  const latin1 = (text: string) => Buffer.from(text).toString('latin1')
  expect(shown(latin1('blåbær 食.txt'))).toBe('blåbær 食.txt')
  expect(shown('a\nb')).toBe('a\\x0ab')
  expect(shown('caf\xe9')).toBe('caf\\xe9')
})
