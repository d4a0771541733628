import { linkOptions } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import type { Domain } from './domain.ts'
import * as domains from './domains.ts'
import { tabs } from './hosting/websites/page/section.ts'
import { placedItems } from './menu.ts'
import { pathOf } from './paths.ts'
import { state } from './stated.ts'

const stated: readonly Domain[] = Object.values(domains)
state(stated)
const repeated = (values: readonly unknown[]) => values.filter((value, index) => values.indexOf(value) !== index)

test('a workflow leads to the screen of its subject', () => {
  expect(pathOf('website', 12)).toBe('/websites/12')
  expect(pathOf('moon', 1)).toBeUndefined()
})

test('two domains never state the same path, menu place, subject or section', () => {
  expect(repeated(stated.flatMap(({ screens = [] }) => screens.map(({ path }) => path)))).toEqual([])
  expect(repeated(placedItems().map(({ at }) => at))).toEqual([])
  expect(repeated(stated.flatMap(({ subjects = {} }) => Object.keys(subjects)))).toEqual([])
  const sections = stated.flatMap((domain) => domain.sections ?? [])
  expect(repeated(sections.map(({ name }) => name))).toEqual([])
  for (const tab of Object.keys(tabs))
    expect(repeated(sections.filter((section) => section.tab === tab).map(({ at }) => at))).toEqual([])
})

test('a link to a path that no domain states does not compile', () => {
  expect(linkOptions({ to: '/dns/zone/$id', params: { id: '1' } }).to).toBe('/dns/zone/$id')
  // @ts-expect-error no screen has this path
  expect(linkOptions({ to: '/dns/zones/$id', params: { id: '1' } }).to).toBe('/dns/zones/$id')
})

test('no screen has a path that the server keeps for its calls and files', () => {
  const paths = stated.flatMap(({ screens = [] }) => screens.map(({ path }) => path))
  expect(paths.filter((path) => /^\/(api|assets|ws|metrics|healthz|readyz)/.test(path))).toEqual([])
})
