import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Domain } from './domain.ts'
import * as domains from './domains.ts'

/** A thing has one name in menu, title, breadcrumb and button. These have two. */
const two: Record<string, readonly [menu: string, title: string]> = {
  // the specification gives the menu one label and the screen another
  '/action-logs': ['Action logs', 'Action Logs'],
  '/backups': ['Backups', 'All Backups'],
  '/backups/logs': ['Logs', 'All Backup Logs'],
  '/backups/repositories': ['Repositories', 'All Backup Repositories'],
  '/backups/restores': ['Restores', 'All Restore Logs'],
  '/backups/schedules': ['Schedules', 'All Backup Schedules'],
  '/backups/servers': ['Servers', 'All Backup Servers'],
  '/backups/tasks': ['Tasks', 'All Backup Tasks'],
  '/internal-tickets/features': ['Features', 'Feature requests'],
  '/ipset/sets': ['IPset', 'IP sets'],
  '/mailboxes/list': ['Mailboxes', 'Mail domains'],
  '/plans': ['Plans', 'All Plans'],
  '/qc-settings-v2/ticket-cron-config': ['Ticket cron config', 'Ticket cron filters'],
  '/qc-settings/cron': ['Cron settings', 'Ticket cron filters'],
  '/qc-settings/score/types': ['Scores', 'Score types'],
  '/qc/chats': ['Chat archive', 'Chats'],
  '/server': ['Server', 'Servers'],
  '/website-migrations': ['List', 'Website Migrations List'],
  '/website-migrations/groups': ['Groups', 'Groups Migrations List'],
  '/website-orchestrator': ['Website orchestrator resources', 'Resources'],
  // the menu has the first word in the label of the group
  '/databases/users/list': ['Users', 'Database users'],
  '/dns/departments': ['Departments', 'DNS departments'],
  '/dossiers/chart': ['Chart', 'Organisation chart'],
  '/leaves/all': ['All', 'Leaves'],
  '/leaves/approvers': ['Approvers', 'Leave approvers'],
  '/leaves/archive': ['Archive', 'Leave archive'],
  '/leaves/my': ['My', 'My leaves'],
  '/leaves/new': ['New', 'Request leave'],
  '/qc/chats/queue': ['Queue', 'Chat queue'],
  '/scrums/audits/all': ['Audits', 'Scrum audits'],
  '/scrums/components': ['Components', 'Scrum components'],
  '/scrums/settings': ['Settings', 'Scrum settings'],
  '/sms/settings': ['Settings', 'SMS settings'],
  '/sms/templates': ['Templates', 'SMS templates'],
  '/vhost/origin': ['Origin', 'Origin vhosts'],
}

const all: readonly Domain[] = Object.values(domains)
const titles = new Map(all.flatMap(({ screens = [] }) => screens.map(({ path, place }) => [path, place.title])))

test('a screen has the name of its menu item, except the pairs of the list', () => {
  const differing = all.flatMap(({ menu = [] }) =>
    menu.flatMap(({ label, path }) => (titles.get(path) === label ? [] : [[path, [label, titles.get(path)]]])),
  )
  expect(Object.fromEntries(differing)).toEqual(two)
})

test('the button that leads to a form has the name of the form', () => {
  const buttons = globSync('**/*.tsx', { cwd: import.meta.dirname }).flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    return [...text.matchAll(/<CreateButton\b[^>]*?\bto="([^"]+)"[^>]*>\s*([^<{]+?)\s*<\/CreateButton>/g)]
  })
  const differing = buttons.flatMap(([, path = '', label]) =>
    // the specification writes some titles with capitals
    titles.get(path)?.toLowerCase() === label?.toLowerCase() ? [] : [`${path}: ${label}, and ${titles.get(path)}`],
  )
  expect(buttons.length).toBeGreaterThan(10)
  expect(differing).toEqual([])
})
