import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dateFormat } from './dateFormat.ts'
import { megabytes, shortDay, swedish, tenths } from './format.ts'

const sources = globSync('web/**/*.{ts,tsx}', { exclude: ['web/dist/**', 'web/**/*.test.ts'] })

it('writes dates and numbers for people in one place', () => {
  expect(sources.length).toBeGreaterThan(500)
  const own = (file: string) =>
    /DateTimeFormat\((?:'en-GB'|tag)|\.toLocale(Date|Time)?String\(/.test(readFileSync(file, 'utf8'))
  const zones = 'web/kit/form/zones.ts' // reads the offset of a zone out of the format
  expect(sources.filter((file) => file !== zones && own(file))).toEqual(['web/kit/look/dateFormat.ts'])
})

it('gives each month three letters, and each size its unit', () => {
  expect(dateFormat({ day: 'numeric', month: 'short' }).one(Date.UTC(2026, 8, 1))).toBe('1 Sep')
  expect(dateFormat({ month: 'long' }).one(Date.UTC(2026, 8, 1))).toBe('September')
  expect(shortDay('2026-09-30', new Date('2026-11-21T12:00:00Z'))).toBe('30 Sep')
  expect(shortDay('2025-09-30', new Date('2026-11-21T12:00:00Z'))).toBe('30 Sep 2025')
  expect(swedish('2026-09-30T12:13:14Z')).toMatch(/^2026-09-30 \d\d:13:14$/)
  expect(megabytes(3579)).toBe('3.5 GB')
  expect(tenths(1234.56)).toBe('1,234.6')
})
