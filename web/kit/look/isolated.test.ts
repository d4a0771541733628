import { expect, it } from 'vitest'
import { isolated } from './isolated.ts'

it('closes every direction that a name opens, and lets the name close nothing of ours', () => {
  expect(isolated('Kari \u202e\u2069x')).toBe('\u2068Kari \u202ex\u2069')
})
