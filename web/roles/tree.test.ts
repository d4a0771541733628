import { scopeTree } from '@innkeeper/contract/scopes'
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
  test('shows its areas alone until one is opened', () => {
    expect(named(linesOf(tree, new Set(), ''))).toEqual(['-Dns', '-Qa'])
  })
  test('has three levels in start case', () => {
    expect(named(linesOf(tree, all, ''))).toEqual([
      ...['-Dns', '--Department', '---Read', '--Zone', '---Delete', '---Read'],
      ...['-Qa', '--Score Type', '---Read'],
    ])
  })
  test('is opened by a search, which finds words in names, permissions and what they let one do', () => {
    expect(named(linesOf(tree, new Set(), 'zones delete'))).toEqual(['-Dns', '--Zone', '---Delete'])
    expect(named(linesOf(tree, new Set(), 'score-type:'))).toEqual(['-Qa', '--Score Type', '---Read'])
    expect(linesOf(tree, new Set(), 'nothing like it')).toEqual([])
  })
  test('says where a line stands among those that are shown', () => {
    const { place, of } = line(linesOf(tree, new Set(), 'zone'), 'Dns')
    expect([place, of]).toEqual([1, 1])
  })
})

describe('choosing', () => {
  const lines = linesOf(tree, all, '')
  test('a line is mixed when some of what is below it is chosen', () => {
    const dns = line(lines, 'Dns')
    expect(chosenOf(dns, new Set())).toBe('false')
    expect(chosenOf(dns, new Set(['dns:zone:read']))).toBe('mixed')
    expect(chosenOf(dns, new Set(dns.scopes))).toBe('true')
  })
  test('a mixed line takes in the rest, a whole one gives all up', () => {
    const zone = line(lines, 'Zone')
    const whole = toggled(zone, new Set(['dns:zone:read']), () => true)
    expect([...whole].sort()).toEqual(['dns:zone:delete', 'dns:zone:read'])
    expect([...toggled(zone, whole, () => true)]).toEqual([])
  })
  test('what one does not hold is not taken in, and can be given up', () => {
    const zone = line(lines, 'Zone')
    const some = toggled(zone, new Set(), (scope) => scope === 'dns:zone:read')
    expect([...some]).toEqual(['dns:zone:read'])
    expect([...toggled(zone, new Set(zone.scopes), () => false)]).toEqual([])
  })
  test('a search narrows what a line stands for', () => {
    const found = line(linesOf(tree, new Set(), 'delete'), 'Zone')
    expect([...toggled(found, new Set(), () => true)]).toEqual(['dns:zone:delete'])
  })
})

describe('the keyboard', () => {
  const shut = linesOf(tree, new Set(), '')
  const open = linesOf(tree, all, '')
  test('goes down and up and stops at the ends', () => {
    expect(moved(shut, 0, 'ArrowDown')).toEqual({ to: shut[1]?.id })
    expect(moved(shut, 1, 'ArrowDown')).toEqual({ to: shut[1]?.id })
    expect(moved(shut, 0, 'ArrowUp')).toEqual({ to: shut[0]?.id })
    expect(moved(open, 0, 'End')).toEqual({ to: open.at(-1)?.id })
  })
  test('right opens, then goes in; left shuts, then goes out', () => {
    expect(moved(shut, 0, 'ArrowRight')).toEqual({ open: shut[0]?.id })
    expect(moved(open, 0, 'ArrowRight')).toEqual({ to: open[1]?.id })
    expect(moved(open, 0, 'ArrowLeft')).toEqual({ shut: open[0]?.id })
    expect(moved(open, 2, 'ArrowLeft')).toEqual({ to: open[1]?.id })
  })
  test('leaves other keys alone', () => expect(moved(open, 0, 'a')).toBeUndefined())
})
