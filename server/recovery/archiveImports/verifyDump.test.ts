import { expect, test } from 'vitest'
import { changesOf, loadedBy } from './verifyDump.ts'

const finding = (what: string, count = 1) =>
  ({ effect: 'rewritten', topic: 'collation', what, count, line: 12 }) as const

test('lists what was changed in a dump, and counts what is not listed', () => {
  const findings = [
    finding('utf8mb4_0900_ai_ci becomes utf8mb4_unicode_520_ci', 3),
    ...Array.from({ length: 50 }, (_, n) => finding(`other ${n}`)),
  ]
  const lines = changesOf(
    'shop',
    loadedBy(() => ({ tables: 1, rows: 2, findings }), 7),
  )
  expect(lines[0]).toEqual({
    ...{ kind: 'database', name: 'shop', what: 'collation in the dump', verdict: 'changed' },
    ...{ archive: 'utf8mb4_0900_ai_ci becomes utf8mb4_unicode_520_ci', here: 'rewritten, 3 times' },
  })
  expect(lines).toHaveLength(41)
  expect(lines.at(-1)).toMatchObject({ what: 'more changes of the dump', archive: '11' })
})

test('a dump that came as it is changes nothing', () => {
  expect(
    changesOf(
      'shop',
      loadedBy(() => ({ tables: 1, rows: 2 }), 7),
    ),
  ).toEqual([])
})
