import { expect, test } from 'vitest'
import { noChoice, tickedAt, toggled } from './choice.ts'

const tree: Record<string, string[]> = {
  '/www': ['/www/a', '/www/b'],
  '/www/a': ['/www/a/1', '/www/a/2'],
}
const childrenOf = (folder: string) => tree[folder]
const after = (...paths: string[]) => paths.reduce((choice, path) => toggled(choice, path, childrenOf), noChoice)
const sets = ({ included, excluded }: ReturnType<typeof after>) => [[...included], [...excluded]]

test('a folder includes everything below, loaded or not', () => {
  const choice = after('/www')
  expect(['/www', '/www/a/1', '/www/never/loaded', '/etc'].map((path) => tickedAt(choice, path))).toEqual([
    'on',
    'on',
    'on',
    'off',
  ])
})

test('an excluded part makes its parent folders mixed', () => {
  const choice = after('/www', '/www/a/1')
  expect(sets(choice)).toEqual([['/www'], ['/www/a/1']])
  expect(['/www', '/www/a', '/www/a/1', '/www/a/2'].map((path) => tickedAt(choice, path))).toEqual([
    'some',
    'some',
    'off',
    'on',
  ])
})

test('a mixed folder becomes chosen, and entries below are dropped', () => {
  expect(sets(after('/www', '/www/a/1', '/www'))).toEqual([['/www'], []])
})

test('a folder whose children are all chosen one by one is chosen', () => {
  expect(sets(after('/www/a/1', '/www/a/2'))).toEqual([['/www/a'], []])
  expect(sets(after('/www/a/1', '/www/a/2', '/www/b'))).toEqual([['/www'], []])
})

test('a folder whose children are all deselected one by one is not chosen', () => {
  expect(sets(after('/www', '/www/a', '/www/b'))).toEqual([[], []])
})

test('folders whose names share a beginning are distinct', () => {
  expect(tickedAt(after('/www'), '/www2')).toBe('off')
})
