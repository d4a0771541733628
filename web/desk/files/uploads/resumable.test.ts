import { expect, test } from 'vitest'
import { markOf } from './resumable.ts'

/** 9 MB of zeros, with 40,000 other bytes from `at` on. */
const marked = (at?: number) => {
  const bytes = new Uint8Array(9_000_000)
  if (at !== undefined) bytes.fill(7, at, at + 40_000)
  return markOf(new File([bytes], 'dump.sql', { lastModified: 1 }), { isPrivate: true })
}

test('an upload continues with the same file only, not with another one of the same name, size and time', async () => {
  const mark = await marked()
  expect(await marked()).toBe(mark)
  for (const at of [0, 4_517_647, 8_999_999]) expect(await marked(at)).not.toBe(mark)
})
