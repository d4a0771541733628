import { expect, test } from 'vitest'
import { publishedOf, shownDrafts } from './drafts.ts'

const shift = (userId: number | null, date: string, status: 'draft' | 'published' = 'draft') => ({
  userId,
  date,
  status,
})

test('publishing concerns the drafts that the filtered grid shows, and no other', () => {
  const shifts = [
    shift(1, '2026-12-01'),
    shift(1, '2026-12-02'),
    shift(1, '2026-12-02', 'published'),
    shift(2, '2026-12-01'),
    shift(1, '2026-11-30'),
    shift(null, '2026-12-01'),
  ]
  const drafts = shownDrafts(shifts, [{ id: 1 }], '2026-12-01')
  expect(drafts).toEqual([shift(1, '2026-12-01'), shift(1, '2026-12-02')])
  expect(publishedOf(drafts, true)).toEqual({ userIds: [1] })
  expect(publishedOf(drafts, false)).toEqual({})
})
