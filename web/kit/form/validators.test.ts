import { expect, test } from 'vitest'
import { all, email, max, min, numeric, required } from './validators.ts'

test.each(['', '  ', '\t'])('required refuses %j', (value) => expect(required(value)).toBe('Required'))
test('required accepts anything else', () => expect(required(' a ')).toBeUndefined())

test.each(['a@b.no', 'first.last+tag@sub.example.org', " o'neil@x.museum "])('email takes %j', (value) =>
  expect(email(value)).toBeUndefined())
test.each([
  'a',
  'a@b',
  'a@b.',
  '@b.no',
  'a b@c.no',
  'a@b.no, c@d.no',
  'a@-b.no',
  'a@b..no',
  'a@b.1',
])('email refuses %j', (value) => expect(email(value)).toBe('An address such as name@example.org'))

test.each(['0', '-5', '12.5'])('numeric takes %j', (value) => expect(numeric(value)).toBeUndefined())
test.each(['x', '1e5', '1,5', '0x10', '--1', '1.', 'Infinity'])('numeric refuses %j', (value) =>
  expect(numeric(value)).toBe('A number'))

test('max and min include their bound', () => {
  expect([max(10)('10'), max(10)('10.01'), min(1)('1'), min(1)('0')]).toEqual([
    undefined,
    'At most 10',
    undefined,
    'At least 1',
  ])
})

test('only required rejects an empty value', () => {
  expect([email(''), numeric(''), max(1)(''), min(1)('')]).toEqual([undefined, undefined, undefined, undefined])
})

test('several validators report the first error', () => {
  const port = all(required, numeric, min(1), max(65_535))
  expect([port(''), port('x'), port('0'), port('70000'), port('443')]).toEqual([
    'Required',
    'A number',
    'At least 1',
    'At most 65535',
    undefined,
  ])
})
