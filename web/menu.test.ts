import { expect, test } from 'vitest'
import { areas } from './domain.ts'
import * as domains from './domains.ts'
import { type MenuEntry, wholeMenu } from './menu.ts'
import { activeItems, leaves, visibleEntries, visibleMenu } from './menuView.ts'
import { pictograms } from './shell/menu/pictograms.ts'
import { state } from './stated.ts'

state(Object.values(domains))
const menu = wholeMenu()

const nobody = { isAdmin: false, scopes: [] }
const admin = { isAdmin: true, scopes: [] }
const everywhere = () => true
const labels = (entries: readonly MenuEntry[]): unknown[] =>
  entries.map((entry) => ('children' in entry ? [entry.label, ...labels(entry.children)] : entry.label))
const entriesOf = (...asked: Parameters<typeof visibleMenu>) => visibleMenu(...asked).flatMap(({ entries }) => entries)
const lit = (path: string) => activeItems(leaves(menu.flatMap(({ entries }) => entries)), path).map(({ name }) => name)

test('an administrator sees every area, with its items in the order of the specification', () => {
  expect(visibleMenu(menu, admin, everywhere)).toEqual(menu)
  expect(menu.map(({ label }) => label)).toEqual(areas)
  expect(menu.map(({ entries }) => entries.map(({ label }) => label))).toEqual([
    [
      ...['Databases', 'System users', 'Websites', 'Website groups', 'Mailboxes', 'FTP users', 'Website migrations'],
      ...['Website orchestrator resources', 'Plans', 'Imports', 'Adopt a server'],
    ],
    ['IPset', 'Vhost', 'Server', 'DNS', 'SSL certificates'],
    ['Backups', 'Config resets'],
    ['Calendar', 'Leaves'],
    ['QC', 'QC V2', 'Agent profiles', 'Teams', 'Review categories', 'Organisation'],
    ['Bug/features', 'Internal file manager', 'Dev scrum', 'Internal tickets', 'SMS'],
    [
      ...['Users', 'User roles', 'Departments', 'Action logs'],
      ...[
        'Service accounts',
        'API tokens',
        'Webhooks',
        'Sign-in',
        'Recoveries',
        'Operation',
        'Elevations',
        'Access reviews',
      ],
    ],
  ])
})

test('each entry of the first level has a pictogram of its own', () => {
  const entries = menu.flatMap((area) => area.entries.map(({ label }) => label))
  expect(
    entries.filter((label) => !pictograms[label]),
    'shell/menu/pictograms.ts lacks',
  ).toEqual([])
  const left = Object.keys(pictograms).filter((label) => !entries.includes(label))
  expect(left, 'pictograms without an entry').toEqual([])
  expect(new Set(Object.values(pictograms)).size).toBe(entries.length)
})

test('an item needs its scope, a group needs one item', () => {
  const holder = { isAdmin: false, scopes: ['dns:department:read', 'website:website:read'] }
  expect(labels(entriesOf(menu, holder, everywhere))).toEqual([
    'Websites',
    'Website orchestrator resources',
    ['DNS', 'Departments'],
    ['Leaves', 'My'],
    ['QC V2', 'My quality'],
    'Elevations',
  ])
})

test('an item with two scopes needs both', () => {
  const one = { isAdmin: false, scopes: ['dossier:comment:create'] }
  const both = { isAdmin: false, scopes: ['dossier:comment:create', 'dossier:comment:read'] }
  const profiles = (holder: typeof one) => labels(entriesOf(menu, holder, everywhere)).includes('Agent profiles')
  expect([profiles(one), profiles(both)]).toEqual([false, true])
})

test('an item without a screen is never shown', () => {
  expect(labels(entriesOf(menu, admin, (path) => path === '/plans'))).toEqual(['Plans'])
  expect(visibleMenu(menu, admin, () => false)).toEqual([])
  expect(labels(entriesOf(menu, nobody, everywhere))).toEqual([['Leaves', 'My'], ['QC V2', 'My quality'], 'Elevations'])
})

test('groups can be nested', () => {
  const nested: MenuEntry[] = [
    { label: 'A', children: [{ label: 'B', children: [{ label: 'C', path: '/c', scope: 'signedIn', also: [] }] }] },
  ]
  expect(leaves(visibleEntries(nested, nobody, everywhere)).map(({ name }) => name)).toEqual(['A / B / C'])
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
])('at %s, %j is active', (path, names) => {
  expect(lit(path)).toEqual(names)
})
