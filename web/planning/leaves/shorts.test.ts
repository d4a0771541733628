import { expect, test } from 'vitest'
import { shortsOf } from './shorts.ts'

test('letters tell the names apart', () => {
  expect([...shortsOf(['Paid leave', 'Paternity leave', 'Sick leave', 'Paid leave']).values()]).toEqual([
    'Pai',
    'Pat',
    'Si',
  ])
  expect([...shortsOf(['Leave', 'Leave without pay', 'A']).values()]).toEqual(['Leave', 'Leavew', 'A'])
})
