import { expect, test } from 'vitest'
import { type MenuEntry, menu } from './menu.ts'
import { activeItems, leaves, visibleMenu } from './menuView.ts'

const nobody = { isAdmin: false, scopes: [] }
const admin = { isAdmin: true, scopes: [] }
const everywhere = () => true
const labels = (entries: readonly MenuEntry[]): unknown[] =>
  entries.map((entry) => ('children' in entry ? [entry.label, ...labels(entry.children)] : entry.label))
const lit = (path: string) => activeItems(leaves(menu), path).map(({ name }) => name)

test('an administrator sees every section in the order of the specification', () => {
  expect(visibleMenu(menu, admin, everywhere)).toEqual(menu)
  expect(menu.map(({ label }) => label).slice(0, 8)).toEqual([
    'Users',
    'User roles',
    'Departments',
    'IPset',
    'Vhost',
    'Server',
    'DNS',
    'SSL certificates',
  ])
})

test('an item needs its scope, a group needs one item', () => {
  const holder = { isAdmin: false, scopes: ['dns:department:read', 'website:website:read'] }
  expect(labels(visibleMenu(menu, holder, everywhere))).toEqual([
    ['DNS', 'Departments'],
    ['Leaves', 'My'],
    'Websites',
    'Website orchestrator resources',
  ])
})

test('an item that asks for two scopes needs both', () => {
  const one = { isAdmin: false, scopes: ['dossier:comment:create'] }
  const both = { isAdmin: false, scopes: ['dossier:comment:create', 'dossier:comment:read'] }
  const profiles = (holder: typeof one) => labels(visibleMenu(menu, holder, everywhere)).includes('Agent profiles')
  expect([profiles(one), profiles(both)]).toEqual([false, true])
})

test('an item without a screen is not shown, whoever asks', () => {
  expect(labels(visibleMenu(menu, admin, (path) => path === '/plans'))).toEqual(['Plans'])
  expect(visibleMenu(menu, admin, () => false)).toEqual([])
  expect(labels(visibleMenu(menu, nobody, everywhere))).toEqual([['Leaves', 'My']])
})

test('groups lie in groups', () => {
  const nested: MenuEntry[] = [
    { label: 'A', children: [{ label: 'B', children: [{ label: 'C', path: '/c', scope: 'signedIn', also: [] }] }] },
  ]
  expect(leaves(visibleMenu(nested, nobody, everywhere)).map(({ name }) => name)).toEqual(['A / B / C'])
})

test.each([
  ['/users/edit/1', ['Users']],
  ['/server/create', ['Server']],
  ['/websites/12', ['Websites']],
  ['/websites/groups/3', ['Website groups']],
  ['/dns/zone/4/create', ['DNS / Zones']],
  ['/dns/departments', ['DNS / Departments']],
  ['/dossiers/teams/create', ['Teams']],
  ['/dossiers/8/update', ['Agent profiles']],
  ['/backups/config-resets', ['Config resets']],
  ['/internal-tickets/bugs', ['Bug/features / Bugs']],
  ['/qc-v2/tickets/7', ['QC V2 / Ticket archive']],
  ['/website-migrations/9', ['Website migrations / List']],
  ['/', []],
  ['/usersX', []],
])('at %s %j is lit', (path, names) => {
  expect(lit(path)).toEqual(names)
})
