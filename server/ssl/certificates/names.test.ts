import { expect, test } from 'vitest'
import { orderedNames, wantedNames } from './names.ts'

const site = { domain: 'shop.example', aliases: ['*.shop.example', 'www.shop.example', 'other.example'], redirects: [] }

test('an order names nothing that one of its wildcards covers, be it an alias or the website itself', () => {
  const wanted = wantedNames(site, { extraNames: [], vhostAliases: true })
  expect(orderedNames(wanted)).toEqual(['shop.example', '*.shop.example', 'other.example'])
  // a wildcard that cannot be proved covers nothing
  expect(orderedNames(wanted, [{ name: '*.shop.example' }])).toEqual([
    'shop.example',
    'www.shop.example',
    'other.example',
  ])
  const below = wantedNames(
    { ...site, domain: 'www.shop.example' },
    { extraNames: ['*.shop.example'], vhostAliases: false },
  )
  expect(orderedNames(below)).toEqual(['*.shop.example'])
})
