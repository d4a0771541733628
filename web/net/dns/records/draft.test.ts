import { expect, test } from 'vitest'
import { cellsOf, deltaOf, nothing, rebased } from './draft.ts'

const record = (id: number) => ({
  id,
  name: `n${id}`,
  type: 'A' as const,
  ttl: 60,
  priority: null,
  content: '192.0.2.1',
})

test('rebasing a draft onto a version without its records adds the edited ones and drops the deletions', () => {
  const [one, two, three] = [record(1), record(2), record(3)]
  const draft = {
    ...nothing,
    edited: {
      1: { was: one, cells: { ...cellsOf(one), content: '192.0.2.9' } },
      2: { was: two, cells: { ...cellsOf(two), content: '192.0.2.8' } },
    },
    gone: { 3: three },
  }
  const { create, delete: gone } = deltaOf(rebased(draft, [1, 3]))
  expect(gone).toEqual([2])
  expect(create.map(({ name, content }) => [name, content])).toEqual([
    ['n2', '192.0.2.8'],
    ['n1', '192.0.2.9'],
  ])
})
