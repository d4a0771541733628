import { expect, test } from 'vitest'
import { noChoice, tickedAt, toggled } from './choice.ts'

const tree: Record<string, string[]> = {
  '/www': ['/www/a', '/www/b'],
  '/www/a': ['/www/a/1', '/www/a/2'],
}
const childrenOf = (folder: string) => tree[folder]
const after = (...paths: string[]) => paths.reduce((choice, path) => toggled(choice, path, childrenOf), noChoice)
const sets = ({ included, excluded }: ReturnType<typeof after>) => [[...included], [...excluded]]

test('a folder stands for all that it holds, loaded or not', () => {
  const choice = after('/www')
  expect(['/www', '/www/a/1', '/www/never/loaded', '/etc'].map((path) => tickedAt(choice, path))).toEqual([
    'on',
    'on',
    'on',
    'off',
  ])
})

test('a part that is left out makes the folders above partly chosen', () => {
  const choice = after('/www', '/www/a/1')
  expect(sets(choice)).toEqual([['/www'], ['/www/a/1']])
  expect(['/www', '/www/a', '/www/a/1', '/www/a/2'].map((path) => tickedAt(choice, path))).toEqual([
    'some',
    'some',
    'off',
    'on',
  ])
})

test('a partly chosen folder becomes wholly chosen, and what was decided below is forgotten', () => {
  expect(sets(after('/www', '/www/a/1', '/www'))).toEqual([['/www'], []])
})

test('a folder of which all was chosen one by one is chosen itself', () => {
  expect(sets(after('/www/a/1', '/www/a/2'))).toEqual([['/www/a'], []])
  expect(sets(after('/www/a/1', '/www/a/2', '/www/b'))).toEqual([['/www'], []])
})

test('a folder of which all was taken back one by one is not chosen', () => {
  expect(sets(after('/www', '/www/a', '/www/b'))).toEqual([[], []])
})

test('names that begin alike are not the same folder', () => {
  expect(tickedAt(after('/www'), '/www2')).toBe('off')
})
