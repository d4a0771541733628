import { expect, test } from 'vitest'
import { initials } from './initials.ts'

test('the key tag carries the initials of the title', () => {
  expect(['User roles', 'DNS', 'Websites', 'Internal file manager', 'Bug/features', 'QC V2'].map(initials)).toEqual([
    'UR',
    'DNS',
    'We',
    'IFM',
    'BF',
    'QV',
  ])
})
