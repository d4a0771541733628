import { expect, test } from 'vitest'
import { statements } from './statements.ts'

test('refuses a statement that is larger than MariaDB accepts, and no dump of many smaller ones', () => {
  const row = Buffer.from(`INSERT INTO a VALUES ('${'x'.repeat(4000)}');\n`)
  const reader = () => statements({ piece: () => {}, readsFile: () => {}, mostBytes: 50_000 })
  const many = reader()
  for (let n = 0; n < 30; n++) many.take(row)
  expect(many.end()).toBe('whole')
  const one = reader()
  one.take(Buffer.from("-- a comment\nINSERT INTO a VALUES ('"))
  const more = () => {
    for (let n = 0; n < 30; n++) one.take(Buffer.alloc(4000, 'x'))
  }
  expect(more).toThrow('line 2 begins a statement of more than 1 GB')
})
