import { expect, test } from 'vitest'
import { countOf, publishedOf, shownDrafts } from './drafts.ts'

test('publishing concerns the drafts that the filtered grid shows, and no other', () => {
  const all = [
    { userId: 1, count: 2 },
    { userId: 2, count: 1 },
  ]
  const drafts = shownDrafts(all, [{ id: 1 }, { id: 3 }])
  expect([drafts, countOf(drafts)]).toEqual([[{ userId: 1, count: 2 }], 2])
  expect(publishedOf(drafts, true)).toEqual({ userIds: [1] })
  expect(publishedOf(drafts, false)).toEqual({})
})
