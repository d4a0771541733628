import { scopeTree } from '@innkeeper/contract/access/scopes'
import { describe, expect, test } from 'vitest'
import { chosenOf, type Line, linesOf, moved, toggled } from './tree.ts'

const tree = scopeTree([
  { scope: 'dns:zone:read', description: 'See DNS zones' },
  { scope: 'dns:zone:delete', description: 'Delete DNS zones' },
  { scope: 'dns:department:read', description: 'See DNS departments' },
  { scope: 'qa:score-type:read', description: 'See score types' },
])
const all = new Set(tree.flatMap((area) => [area.id, ...area.children.map(({ id }) => id)]))
const named = (lines: Line[]) => lines.map(({ level, name }) => `${'-'.repeat(level)}${name}`)
const line = (lines: Line[], name: string) => {
  const found = lines.find((one) => one.name === name)
  if (!found) throw new Error(`no line ${name}`)
  return found
}

describe('the tree', () => {
  test('shows only its areas until one is opened', () => {
    expect(named(linesOf(tree, new Set(), ''))).toEqual(['-Dns', '-Qa'])
  })
  test('has three levels in start case', () => {
    expect(named(linesOf(tree, all, ''))).toEqual([
      ...['-Dns', '--Department', '---Read', '--Zone', '---Delete', '---Read'],
      ...['-Qa', '--Score Type', '---Read'],
    ])
  })
  test('is opened by a search over names, permissions and descriptions', () => {
    expect(named(linesOf(tree, new Set(), 'zones delete'))).toEqual(['-Dns', '--Zone', '---Delete'])
    expect(named(linesOf(tree, new Set(), 'score-type:'))).toEqual(['-Qa', '--Score Type', '---Read'])
    expect(linesOf(tree, new Set(), 'nothing like it')).toEqual([])
  })
  test('gives each line its position among the visible ones', () => {
    const { place, of } = line(linesOf(tree, new Set(), 'zone'), 'Dns')
    expect([place, of]).toEqual([1, 1])
  })
})

describe('choosing', () => {
  const lines = linesOf(tree, all, '')
  test('a line is mixed if some permissions below are chosen', () => {
    const dns = line(lines, 'Dns')
    expect(chosenOf(dns, new Set())).toBe('false')
    expect(chosenOf(dns, new Set(['dns:zone:read']))).toBe('mixed')
    expect(chosenOf(dns, new Set(dns.scopes))).toBe('true')
  })
  test('a mixed line adds the rest; a complete one removes all', () => {
    const zone = line(lines, 'Zone')
    const whole = toggled(zone, new Set(['dns:zone:read']), () => true)
    expect([...whole].sort()).toEqual(['dns:zone:delete', 'dns:zone:read'])
    expect([...toggled(zone, whole, () => true)]).toEqual([])
  })
  test('permissions that the person lacks cannot be added, but can be removed', () => {
    const zone = line(lines, 'Zone')
    const some = toggled(zone, new Set(), (scope) => scope === 'dns:zone:read')
    expect([...some]).toEqual(['dns:zone:read'])
    expect([...toggled(zone, new Set(zone.scopes), () => false)]).toEqual([])
  })
  test('a search limits what a line chooses', () => {
    const found = line(linesOf(tree, new Set(), 'delete'), 'Zone')
    expect([...toggled(found, new Set(), () => true)]).toEqual(['dns:zone:delete'])
  })
})

describe('the keyboard', () => {
  const shut = linesOf(tree, new Set(), '')
  const open = linesOf(tree, all, '')
  test('moves down and up and stops at the ends', () => {
    expect(moved(shut, 0, 'ArrowDown')).toEqual({ to: shut[1]?.id })
    expect(moved(shut, 1, 'ArrowDown')).toEqual({ to: shut[1]?.id })
    expect(moved(shut, 0, 'ArrowUp')).toEqual({ to: shut[0]?.id })
    expect(moved(open, 0, 'End')).toEqual({ to: open.at(-1)?.id })
  })
  test('right opens, then enters; left closes, then leaves', () => {
    expect(moved(shut, 0, 'ArrowRight')).toEqual({ open: shut[0]?.id })
    expect(moved(open, 0, 'ArrowRight')).toEqual({ to: open[1]?.id })
    expect(moved(open, 0, 'ArrowLeft')).toEqual({ shut: open[0]?.id })
    expect(moved(open, 2, 'ArrowLeft')).toEqual({ to: open[1]?.id })
  })
  test('ignores other keys', () => expect(moved(open, 0, 'a')).toBeUndefined())
})
