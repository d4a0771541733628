import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { expect, test } from 'vitest'
import { switchableTo } from './switching.ts'

// the functions read these fields alone
const site = (domain: string, status: string, kind = 'main') => ({ domain, status, kind }) as WebsiteRow

test('a bulk act concerns the websites to which it applies', () => {
  const sites = [
    site('a.example', 'active'),
    site('b.example', 'suspended'),
    site('c.example', 'failed'),
    site('d.example', 'active', 'alias'),
    site('e.example', 'deleted'),
  ]
  const names = (status: 'suspended' | 'active') => switchableTo(status, sites).map(({ domain }) => domain)
  expect(names('suspended')).toEqual(['a.example'])
  expect(names('active')).toEqual(['b.example'])
})
