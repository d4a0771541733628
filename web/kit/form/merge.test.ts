import { expect, test } from 'vitest'
import { mergeForm } from './merge.ts'

/** What "Keep mine" and "Use the saved values" make of one field. */
function merged(opened: unknown, mine: unknown, theirs: unknown) {
  const { keep, take, clashes, taken } = mergeForm({ a: opened }, { a: mine }, { a: theirs })
  return { keep: keep.a, take: take.a, clashes: clashes.map(({ path }) => path.join('.')), taken }
}

test('a field that only one side changed is no conflict', () => {
  const opened = { title: 'a', description: 'b', secret: '' }
  const mine = { ...opened, title: 'mine' }
  const theirs = { title: 'a', description: 'theirs' }
  const { keep, take, clashes, taken } = mergeForm(opened, mine, theirs)
  expect(clashes).toEqual([])
  expect(taken).toEqual(['description'])
  expect(keep).toEqual({ title: 'mine', description: 'theirs', secret: '' })
  expect(take).toEqual(keep)
})

test('only a field that both changed differently is decided, and the others stay merged', () => {
  const opened = { title: 'a', description: 'b', place: 'c' }
  const merge = mergeForm(
    opened,
    { title: 'm', description: 'b', place: 'x' },
    { title: 't', description: 'd', place: 'x' },
  )
  expect(merge.clashes).toEqual([{ path: ['title'], mine: 'm', theirs: 't' }])
  expect(merge.keep).toEqual({ title: 'm', description: 'd', place: 'x' })
  expect(merge.take).toEqual({ title: 't', description: 'd', place: 'x' })
  expect(merge.taken).toEqual(['description'])
})

test('lists of ids and names keep what each side added and removed', () => {
  expect(merged([1, 2, 3], [1, 3, 4], [2, 3, 5])).toMatchObject({ keep: [3, 4, 5], clashes: [] })
  expect(merged(['a', 'b'], ['a', 'b', 'c'], ['b'])).toMatchObject({ keep: ['b', 'c'], clashes: [] })
  // an order is no set
  expect(merged(['a', 'b'], ['b', 'a'], ['a', 'b', 'c'])).toMatchObject({
    keep: ['b', 'a'],
    take: ['a', 'b', 'c'],
    clashes: ['a'],
  })
})

test('lists of rows are merged row by row, and rows field by field', () => {
  const row = (id: number, score = 1, comment = '') => ({ id, score, comment })
  const opened = [row(1), row(2), row(3)]
  expect(merged(opened, [row(1, 5), row(2), row(4)], [row(1, 1, 'theirs'), row(2, 2), row(3)])).toEqual({
    keep: [row(1, 5, 'theirs'), row(2, 2), row(4)],
    take: [row(1, 5, 'theirs'), row(2, 2), row(4)],
    clashes: [],
    taken: ['a'],
  })
  expect(merged(opened, [row(1, 5), row(2), row(3)], [row(1, 4), row(2), row(3)])).toMatchObject({
    keep: [row(1, 5), row(2), row(3)],
    take: [row(1, 4), row(2), row(3)],
    clashes: ['a.1.score'],
  })
  // removed here and changed there
  expect(merged(opened, [row(1), row(2)], [row(1), row(2), row(3, 9)])).toMatchObject({
    keep: [row(1), row(2)],
    take: [row(1), row(2), row(3, 9)],
    clashes: ['a.3'],
  })
})

test('matrices and records are merged place by place', () => {
  const week = [
    [1, 1, 0],
    [1, 1, 0],
  ]
  expect(merged(week, [[2, 1, 0], week[1]], [week[0], [1, 1, 5]])).toMatchObject({
    keep: [
      [2, 1, 0],
      [1, 1, 5],
    ],
    clashes: [],
  })
  const opened = { from: '22:00', to: '06:00', days: { mon: true, tue: false } }
  expect(merged(opened, { ...opened, from: '21:00' }, { ...opened, days: { mon: false, tue: false } })).toMatchObject({
    keep: { from: '21:00', to: '06:00', days: { mon: false, tue: false } },
    clashes: [],
  })
})

test('an empty field is empty in each of its spellings', () => {
  expect(merged('', '', null)).toMatchObject({ clashes: [], taken: [] })
  expect(merged(undefined, 'm', null)).toMatchObject({ keep: 'm', clashes: [] })
  expect(merged('a', '', 't')).toMatchObject({ keep: '', take: 't', clashes: ['a'] })
})
