import { expect, it } from 'vitest'
import { compared } from './compareTables.ts'

it('the changes of the live website include tables by rows, checksum and existence', () => {
  const table = (name: string, rows = 1, sum = '1') => ({ name, rows, sum })
  const then = [table('same'), table('rows'), table('sum'), table('gone')]
  const now = [table('same'), table('rows', 2), table('sum', 1, '2'), table('new')]
  const seen = compared(then, now).map(({ name, what }) => `${name} ${what}`)
  expect(seen).toEqual(['gone gone', 'new added', 'rows changed', 'sum changed'])
})
