import { expect, test } from 'vitest'
import type { Entry } from '../files/tree.ts'
import { carryOver, mergedFiles, writtenSince } from './carryOver.ts'

const file = (path: string, time = '1'): Entry => ({ path, type: 'f', size: 1, time, target: '' })
const folder = (path: string): Entry => ({ path, type: 'd', size: 1, time: '1', target: '' })
const paths = (entries: Entry[]) => entries.map(({ path }) => path)

test.each<[string, Entry[], Entry[], Entry[], 'take' | 'drop' | 'clash' | 'nothing']>([
  ['an upload comes along', [], [file('new.jpg')], [], 'take'],
  ['an upload under the name of another new file stops the merge', [], [file('a', '2')], [file('a', '3')], 'clash'],
  ['a file that both received alike is no clash', [], [file('a', '2')], [file('a', '2')], 'take'],
  ['a change of a file that the copy has unchanged comes along', [file('a')], [file('a', '2')], [file('a')], 'take'],
  ['a change of a file that the copy changed too stops', [file('a')], [file('a', '2')], [file('a', '3')], 'clash'],
  ['a change of a file that the merge deletes stops', [file('a')], [file('a', '2')], [], 'clash'],
  ['a deletion comes along', [file('a')], [], [file('a')], 'drop'],
  ['a deletion of a file that the copy changed stops', [file('a')], [], [file('a', '3')], 'clash'],
  ['a deletion on both sides is none', [file('a')], [], [], 'nothing'],
  ['what nobody changed is left to the merge', [file('a')], [file('a')], [file('a', '3')], 'nothing'],
  ['a configuration file stays that of the website', [file('wp-config.php')], [file('wp-config.php', '2')], [], 'take'],
  ['a new folder comes along', [], [folder('2026')], [], 'take'],
])('%s', (_, seen, now, coming, result) => {
  const found = carryOver(seen, now, coming)
  const expected = {
    take: [],
    drop: [],
    clash: [],
    ...(result !== 'nothing' && { [result]: [(now[0] ?? seen[0])?.path] }),
  }
  expect({ take: paths(found.take), drop: paths(found.drop), clash: paths(found.clash) }).toEqual(expected)
})

test('an undo brings along what visitors wrote after the merge, unless the merge had changed that file', () => {
  const [page, early] = [file('index.php'), file('up/early')]
  const swapped = [page, file('about.php'), folder('up'), early]
  const coming = [file('index.php', '2'), file('about.php'), folder('up')]
  const merged = mergedFiles([page, file('about.php'), folder('up')], swapped, coming)
  expect(paths(merged).sort()).toEqual(['about.php', 'index.php', 'up', 'up/early'])
  const now = [file('index.php', '3'), file('about.php', '3'), folder('up'), early, file('up/late', '3')]
  const { written, free } = writtenSince(merged, now, swapped)
  expect(paths(written).sort()).toEqual(['about.php', 'index.php', 'up/late'])
  expect(paths([...free]).sort()).toEqual(['about.php', 'up/late'])
})
