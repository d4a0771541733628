import { expect, test } from 'vitest'
import * as domains from '../domains.ts'
import { state } from '../stated.ts'
import { allBlocks, movedTo, visibleNames } from './blocks.ts'

state(Object.values(domains))
const blocks = allBlocks()

const nobody = { isAdmin: false, scopes: [] }
const all = blocks.map(({ name }) => name)

test('a person sees blocks by permission', () => {
  expect(visibleNames({ isAdmin: true, scopes: [] }, [])).toEqual(all)
  expect(visibleNames(nobody, [])).not.toContain('servers')
  expect(visibleNames({ isAdmin: false, scopes: ['server:server:read'] }, [])).toContain('servers')
})

test('the chosen order comes first; unknown and forbidden names are left out, new blocks follow', () => {
  expect(visibleNames(nobody, ['events', 'gone', 'servers', 'tasks']).slice(0, 2)).toEqual(['events', 'tasks'])
  expect(visibleNames(nobody, ['events']).toSorted()).toEqual(visibleNames(nobody, []).toSorted())
})

test('a block swaps with another, in both directions', () => {
  expect(movedTo(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a'])
  expect(movedTo(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b'])
  expect(movedTo(['a', 'b', 'c'], 'b', 'b')).toEqual(['a', 'b', 'c'])
})

test('no two blocks have the same name or place', () => {
  expect(new Set(all).size).toBe(all.length)
  expect(new Set(blocks.map(({ at }) => at)).size).toBe(blocks.length)
})
