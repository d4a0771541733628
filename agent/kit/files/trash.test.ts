import { expect, it } from 'vitest'
import { overdue } from './trash.ts'

it('deletes entries older than 30 days, and nothing else', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const names = [
    '20261022T115959Z-7-shop.example',
    '20261022T115959Z-7-shop.example.json',
    '20261022T120001Z-8-new.example',
    '20261121T115959Z-9-today.example',
    'kept-by-hand',
    '2020',
  ]
  expect(overdue(names, now)).toEqual(['20261022T115959Z-7-shop.example', '20261022T115959Z-7-shop.example.json'])
})
