import { expect, it } from 'vitest'
import { figures, inWords, size } from './limits.ts'

const plan = { diskMb: 10_240, memoryMb: 512, databases: 5, mailboxes: 1200 }

it('shows a plan in the units that people compare', () => {
  expect(size(100 * 1024)).toBe('100 GB')
  expect(figures(plan)).toEqual(['10 GB', '512 MB', '5', '1,200'])
})

it('reads as a sentence', () => {
  expect(inWords(plan)).toBe('10 GB, 512 MB memory, 5 databases, 1,200 mailboxes')
  expect(inWords({ ...plan, databases: 1 })).toContain('1 database,')
})
