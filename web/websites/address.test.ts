import { expect, it } from 'vitest'
import { siteAddress } from './address.ts'

it('a practice site opens through the preview port', () => {
  expect(siteAddress('nordlys.no', { state: 'ready', previewPort: 4480 })).toBe('http://nordlys.no.localhost:4480')
})

it('any other site opens at its own domain', () => {
  expect(siteAddress('nordlys.no')).toBe('http://nordlys.no')
  expect(siteAddress('nordlys.no', { state: 'off', previewPort: 4480 })).toBe('http://nordlys.no')
  expect(siteAddress('nordlys.no', { state: 'unable', previewPort: null })).toBe('http://nordlys.no')
})
