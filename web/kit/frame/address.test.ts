import { expect, test } from 'vitest'
import { loginAddress, ownPath } from './address.ts'

test.each(['/websites', '/websites?page=2', '/'])('%s is opened after the sign-in', (path) => {
  expect(ownPath(path)).toBe(path)
})

test.each([
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/a\nb',
  '/login?to=/',
  'websites',
  undefined,
  7,
])('%j is not opened after the sign-in', (path) => {
  expect(ownPath(path)).toBeUndefined()
})

test('the sign-in page keeps the requested page, except home', () => {
  expect(loginAddress('/websites?page=2&status=failed')).toBe('/login?to=%2Fwebsites%3Fpage%3D2%26status%3Dfailed')
  expect(loginAddress('/')).toBe('/login')
})
