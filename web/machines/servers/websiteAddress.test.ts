import { expect, it } from 'vitest'
import { websiteAddress } from './websiteAddress.ts'

it('a practice site opens through the preview port', () => {
  expect(websiteAddress('nordlys.no', { state: 'ready', previewPort: 4480 })).toBe('http://nordlys.no.localhost:4480')
})

it('any other site opens at its own domain', () => {
  expect(websiteAddress('nordlys.no')).toBe('http://nordlys.no')
  expect(websiteAddress('nordlys.no', { state: 'off', previewPort: 4480 })).toBe('http://nordlys.no')
  expect(websiteAddress('nordlys.no', { state: 'unable', previewPort: null })).toBe('http://nordlys.no')
})
