import { expect, test } from 'vitest'
import * as z from 'zod'
import './fieldMessages.ts'

test('a value of several forms is told which forms it may have, or what is wrong with its own', () => {
  const plan = z.union([z.int().positive(), z.string().min(1).max(8)])
  const said = (value: unknown) => plan.safeParse(value).error?.issues[0]?.message
  expect(said(null)).toBe('Required')
  expect(said(undefined)).toBe('Required')
  expect(said(true)).toBe('A number, or a text')
  expect(said('far too long')).toBe('At most 8 characters')
  expect(said(0)).toBe('More than 0')
  expect(said(7)).toBeUndefined()
})
