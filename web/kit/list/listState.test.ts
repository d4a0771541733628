import { expect, test } from 'vitest'
import { orderOf, readList, readRows, toInput, writeList } from './listState.ts'

const rules = { filters: ['status', 'server'], size: 50 }
const usual = { page: 1, size: 50, sort: undefined, direction: undefined, filters: {} }

test('a link shows the same rows: the URL is read back unchanged', () => {
  const state = {
    page: 3,
    size: 100,
    sort: 'domain',
    direction: 'ASC' as const,
    filters: { status: ['active', 'failed'], server: ['7'] },
  }
  const written = writeList({}, state, rules)
  expect(written).toEqual({
    page: '3',
    itemsPerPage: '100',
    sort: 'domain',
    direction: 'ASC',
    status: 'active,failed',
    server: '7',
  })
  expect(readList(written, rules)).toEqual(state)
})

test('an untouched list does not change the URL, whose other parameters stay', () => {
  expect(writeList({ tab: 'log', page: '9', status: 'active' }, usual, rules)).toEqual({ tab: 'log' })
})

test.each([
  [{ page: '0' }, usual],
  [{ page: '-3', itemsPerPage: 'x' }, usual],
  [{ page: '1.5', direction: 'sideways', status: '' }, usual],
  [{ itemsPerPage: '5000' }, { ...usual, size: 200 }],
  [
    { direction: 'desc', sort: 'domain' },
    { ...usual, sort: 'domain', direction: 'DESC' },
  ],
  [{ status: ',active,,' }, { ...usual, filters: { status: ['active'] } }],
  [{ colour: 'blue' }, usual],
])('the URL %j is corrected', (search, state) => {
  expect(readList(search, rules)).toEqual(state)
})

test('a page key is valid for the same filters and order only', () => {
  const page2 = { ...usual, page: 2 }
  expect(orderOf(usual)).toBe(orderOf(page2))
  expect(orderOf(usual)).not.toBe(orderOf({ ...usual, filters: { status: ['active'] } }))
  expect(orderOf(usual)).not.toBe(orderOf({ ...usual, sort: 'domain' }))
})

test('the call’s input has page, filters and key', () => {
  expect(toInput({ ...usual, page: 2, direction: 'ASC', filters: { status: ['active'] } }, 'k')).toEqual({
    page: 2,
    itemsPerPage: 50,
    sort: undefined,
    direction: undefined,
    after: 'k',
    status: ['active'],
  })
})

test('every format of list becomes rows and a count', () => {
  expect(readRows({ items: [1], total: 1 })).toEqual({ rows: [1], total: 1, more: false, next: undefined })
  expect(readRows({ Websites: [1, 2], total: 10_000, more: true, next: 'k' })).toEqual({
    rows: [1, 2],
    total: 10_000,
    more: true,
    next: 'k',
  })
  expect(readRows([[1, 2], 7])).toEqual({ rows: [1, 2], total: 7, more: false })
  expect(readRows(undefined)).toEqual({ rows: [], total: 0, more: false })
})
