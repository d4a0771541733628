import { expect, test } from 'vitest'
import { orderedNames, renamedNames, wantedNames } from './names.ts'

const site = { domain: 'shop.example', aliases: ['*.shop.example', 'www.shop.example', 'other.example'], redirects: [] }

test('an order contains no name that one of its wildcards covers, neither an alias nor the domain of the website', () => {
  const wanted = wantedNames(site, { extraNames: [], vhostAliases: true })
  expect(orderedNames(wanted)).toEqual(['shop.example', '*.shop.example', 'other.example'])
  // a wildcard that failed covers nothing, so that the names below it are ordered
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

test('a wildcard of a renamed website leaves the names of its mail host, which stay, to the next certificate', () => {
  const staying = ['mail.old.example', 'autoconfig.old.example']
  const wildcard = { names: ['old.example', '*.old.example'], extraNames: ['*.old.example'] }
  expect(renamedNames(wildcard, 'old.example', 'new.example', staying)).toEqual(['*.new.example', ...staying])
  const byAlias = { ...wildcard, extraNames: [] }
  expect(renamedNames(byAlias, 'old.example', 'new.example', staying)).toEqual(staying)
  const others = { names: ['old.example', 'blog.old.example'], extraNames: ['blog.old.example'] }
  expect(renamedNames(others, 'old.example', 'new.example', staying)).toEqual(['blog.new.example'])
})
