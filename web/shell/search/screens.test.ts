import { expect, test } from 'vitest'
import { screen } from '../../domain.ts'
import type { Leaf } from '../../menuView.ts'
import { openScreens, screensFor } from './screens.ts'

const none = async () => ({ default: () => null })
const leaf = (path: string, scope: string, groups: string[], label: string): Leaf => ({
  item: { path, scope, label, also: [] } as Leaf['item'],
  groups,
  name: [...groups, label].join(' / '),
})
const menu = [
  leaf('/websites', 'website:website:read', [], 'Websites'),
  leaf('/leaves/new', 'calendar:leave:create', ['Leaves'], 'New'),
]
const screens = [
  screen('/websites', { scope: 'website:website:read', title: 'Websites' }, none),
  screen('/websites/create', { scope: 'website:website:create', title: 'Create website' }, none),
  screen('/websites/$id', { scope: 'website:website:read', title: 'Website' }, none),
  screen('/leaves/new', { scope: 'calendar:leave:create', title: 'Request leave', words: 'vacation' }, none),
  screen('/security', { scope: 'signedIn', title: 'Security' }, none),
  screen('/public/$token', { scope: 'public', title: 'Files' }, none),
]
const paths = (typed: string, scopes = ['website:website:create']) =>
  screensFor(openScreens(menu, screens, { isAdmin: false, scopes }), typed).map(({ path }) => path)

test('screens are found by all typed words in any order, by the title, other words, and what they make', () => {
  expect(paths('website create')).toEqual(['/websites/create'])
  expect(paths('new website')).toEqual(['/websites/create'])
  expect(paths('request leave')).toEqual(['/leaves/new'])
  expect(paths('vacation')).toEqual(['/leaves/new'])
  expect(paths('secur')).toEqual(['/security'])
  expect(paths('nothing like this')).toEqual([])
})

test('those with the words in their label come first; the others name their item of the menu', () => {
  expect(paths('website')).toEqual(['/websites', '/websites/create'])
  const made = openScreens(menu, screens, { isAdmin: true, scopes: [] }).find(({ path }) => path === '/websites/create')
  expect(made).toMatchObject({ label: 'Create website', under: 'Websites' })
})

test('a screen whose permission a person lacks is not among them, nor one that needs a parameter', () => {
  expect(paths('', [])).toEqual(['/websites', '/leaves/new', '/security'])
})
