import { expect, test } from 'vitest'
import { picked, pickOf, treeOf, unpicked } from './pathTree.ts'

const file = (path: string, what: 'added' | 'changed' | 'gone' = 'changed', nameable = true) => ({
  ...{ path, what, nameable, liveBytes: what === 'added' ? null : 1 },
  bytes: what === 'gone' ? 0 : 10,
})
const tree = treeOf([
  file('public/index.php'),
  file('public/wp-content/themes/a.css', 'added'),
  file('public/wp-content/themes/b.css', 'gone'),
  file('public/wp-content/two\\x0alines', 'changed', false),
  file('public/z.php', 'added'),
])

test('folders come first with the sums of their content', () => {
  expect(tree.map(({ path }) => path)).toEqual(['public'])
  const [root] = tree
  expect(root).toMatchObject({ added: 2, changed: 2, gone: 1, bytes: 40 })
  expect(root?.below.map(({ name }) => name)).toEqual(['wp-content', 'index.php', 'z.php'])
  expect(root?.below[0]?.below.at(-1)).toMatchObject({ nameable: false })
})

test('a folder includes its content, and is mixed if only some of it is chosen', () => {
  expect(picked(['public/wp-content/themes/a.css', 'x'], 'public/wp-content')).toEqual(['x', 'public/wp-content'])
  expect(pickOf(['public/wp-content'], 'public/wp-content/themes/a.css')).toBe('all')
  expect(pickOf(['public/wp-content/themes/a.css'], 'public/wp-content')).toBe('some')
  expect(pickOf(['public/wp-content'], 'public/wp-content-2')).toBe('none')
})

test('deselecting a path keeps the rest of its folder, except unnameable files', () => {
  expect(unpicked(['public'], 'public/wp-content/themes/b.css', tree)).toEqual([
    'public/wp-content/themes/a.css',
    'public/index.php',
    'public/z.php',
  ])
  expect(unpicked(['public/z.php', 'public/index.php'], 'public/z.php', tree)).toEqual(['public/index.php'])
  expect(unpicked(['public/wp-content/themes/a.css'], 'public/wp-content', tree)).toEqual([])
})
