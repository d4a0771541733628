import { expect, test } from 'vitest'
import { hold } from './heldRows.ts'

const rows = (...ids: number[]) => ids.map((id) => ({ id }))
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

test('new rows above the seen ones are counted, and shown only once they are asked for', () => {
  const opened = hold(rows(3, 2, 1), 'page 1', undefined)
  expect({ shown: ids(opened.rows), withheld: opened.withheld }).toEqual({ shown: [3, 2, 1], withheld: 0 })
  const later = hold(rows(5, 4, 3, 2), 'page 1', opened.seen)
  expect({ shown: ids(later.rows), withheld: later.withheld }).toEqual({ shown: [3, 2], withheld: 2 })
  expect(hold(rows(6, 5, 4, 3), 'page 1', later.seen)).toMatchObject({ rows: rows(3), withheld: 3 })
  expect(hold(rows(6, 5, 4, 3), 'page 1', undefined).withheld).toBe(0)
})

test('another filter, and a list whose seen rows are gone, withhold nothing', () => {
  const { seen } = hold(rows(3, 2), 'all', undefined)
  expect(hold(rows(9, 8), 'failed', seen)).toMatchObject({ rows: rows(9, 8), withheld: 0 })
  expect(hold(rows(9, 8), 'all', seen)).toMatchObject({ rows: rows(9, 8), withheld: 0 })
})

test('rows that move up from the next page are shown at the end', () => {
  const { seen } = hold(rows(3, 2), 'all', undefined)
  expect(hold(rows(3, 1), 'all', seen)).toMatchObject({ rows: rows(3, 1), withheld: 0 })
})
