import { expect, it } from 'vitest'
import { inTurns, ROWS } from './inTurns.ts'

it('rows of a large change are written in parts, between which other work gets its turn', async () => {
  const all = Array.from({ length: 2 * ROWS + 1 }, (_, n) => n)
  const seen: (string | number)[] = []
  setImmediate(() => seen.push('other work'))
  for await (const some of inTurns(all)) seen.push(some.length)
  expect(seen).toEqual([ROWS, 'other work', ROWS, 1])
})
