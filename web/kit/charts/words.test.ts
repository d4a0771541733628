import { expect, test } from 'vitest'
import { saidOf, tableOf } from './words.ts'

const data = {
  labels: ['Mon', 'Tue'],
  beforeName: 'the week before',
  spreadName: 'middle half',
  series: [
    { name: 'Score', values: [82, null], before: [79, 80], spread: [{ low: 70, high: 91, n: 1310 }, null] },
    { name: 'Chats', values: [4, 5] },
  ],
}
const format = (value: number) => String(value)

test('the table has a column for each figure, and a dash where nothing was measured', () => {
  const { heads, rows } = tableOf(data, format)
  expect(heads).toEqual(['Score', 'Score, the week before', 'Score, middle half', 'n', 'Chats'])
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['82', '79', '70 to 91', '1,310', '4'],
    ['–', '80', '–', '0', '5'],
  ])
})

test('a position is announced with all its values', () => {
  expect(saidOf(data, 0, format)).toBe('Mon: Score 82, 79 the week before, 70 to 91, n 1,310; Chats 4')
  expect(saidOf({ labels: ['Mon'], series: [data.series[1]!, data.series[1]!] }, 0, format)).toBe(
    'Mon: Chats 4, Chats 4',
  )
})
