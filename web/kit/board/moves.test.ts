import { describe, expect, it } from 'vitest'
import { focusByKey, moved, movedByKey, placeWords, spotOf } from './moves.ts'

const column = (id: string, cards: string, limit?: number) => ({
  id,
  title: id,
  cards: [...cards].map((card) => ({ id: card })),
  ...(limit !== undefined && { limit }),
})
const board = [column('Open', 'abc'), column('Empty', ''), column('Done', 'de', 2)]
const shown = (columns: readonly { cards: readonly { id: string | number }[] }[]) =>
  columns.map(({ cards }) => cards.map(({ id }) => id).join(''))

describe('a card', () => {
  it('has its position', () => {
    expect(spotOf(board, 'e')).toEqual({ column: 2, index: 1 })
    expect(spotOf(board, 'x')).toBeUndefined()
  })
  it('moves within its column and to another, and never past the end', () => {
    expect(shown(moved(board, 'a', { column: 0, index: 2 }))).toEqual(['bca', '', 'de'])
    expect(shown(moved(board, 'c', { column: 2, index: 1 }))).toEqual(['ab', '', 'dce'])
    expect(shown(moved(board, 'a', { column: 1, index: 9 }))).toEqual(['bc', 'a', 'de'])
  })
  it('stays if it is unknown or the position is its own', () => {
    expect(moved(board, 'x', { column: 1, index: 0 })).toBe(board)
    expect(moved(board, 'a', { column: 0, index: 0 })).toBe(board)
  })
  it('follows the arrow keys to the edges of the board', () => {
    const at = { column: 0, index: 2 }
    expect(movedByKey(board, at, 'ArrowUp')).toEqual({ column: 0, index: 1 })
    expect(movedByKey(board, at, 'ArrowDown')).toBeUndefined()
    expect(movedByKey(board, at, 'ArrowLeft')).toBeUndefined()
    expect(movedByKey(board, at, 'ArrowRight')).toEqual({ column: 1, index: 0 })
    expect(movedByKey(board, { column: 1, index: 0 }, 'ArrowRight')).toEqual({ column: 2, index: 0 })
    expect(movedByKey(board, at, 'a')).toBeUndefined()
  })
})

describe('the focus', () => {
  it('skips empty columns and stops at the last card', () => {
    expect(focusByKey(board, { column: 0, index: 2 }, 'ArrowRight')?.id).toBe('e')
    expect(focusByKey(board, { column: 0, index: 2 }, 'ArrowDown')?.id).toBe('c')
    expect(focusByKey(board, { column: 2, index: 0 }, 'ArrowLeft')?.id).toBe('a')
    expect(focusByKey(board, { column: 0, index: 1 }, 'Home')?.id).toBe('a')
    expect(focusByKey(board, { column: 0, index: 0 }, 'ArrowLeft')).toBeUndefined()
  })
})

it('announces a position with the column’s limit', () => {
  expect(placeWords(board, { column: 0, index: 1 })).toBe('Open, position 2 of 3')
  expect(placeWords(moved(board, 'a', { column: 2, index: 0 }), { column: 2, index: 0 })).toBe(
    'Done, position 1 of 3, over the limit of 2',
  )
})
