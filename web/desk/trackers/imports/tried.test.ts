import { expect, it } from 'vitest'
import { reportsOf, summaryOf, type Tried, whyNot, withField } from './tried.ts'

const tried: Tried = {
  ...{ isDryRun: true, importId: null, hasTitle: true, asksOrder: false },
  ...{ added: 1, updated: 2, known: 3, leftOut: 202, knownKeys: [] },
  columns: [
    { heading: 'Summary', field: 'title', sample: 'Broken' },
    { heading: 'Team', field: null, sample: 'Red' },
  ],
  refused: [{ line: 4, reason: 'The title is empty' }],
  ...{ mapped: [], continued: [], unknown: [] },
}
const noun = ['bug', 'bugs'] as const

it('says what a file would bring, and asks for titles before', () => {
  expect(summaryOf(tried, noun)).toBe('1 bug will be added, 2 changed, 3 left as they are, 202 lines left out.')
  expect(summaryOf({ ...tried, hasTitle: false }, noun)).toMatch(/^No column contains titles/)
})

it('gives one column another field, and leaves out what nobody knows', () => {
  expect(withField(tried.columns, 1, 'component')).toEqual(['title', 'component'])
  expect(withField(tried.columns, 0, null)).toEqual([null, null])
  expect(withField(tried.columns, 0, 'colour')).toEqual([null, null])
})

it('lists what is lost on the way, with the number of lines that are not listed', () => {
  expect(reportsOf(tried)).toEqual([{ title: 'Left out', lines: ['Line 4: The title is empty', 'and 201 more'] }])
  const more = {
    ...{ leftOut: 0, refused: [], continued: [{ field: 'title', lines: 1 }] },
    mapped: [{ field: 'status', value: 'Done', as: 'Resolved', lines: 2 }],
    unknown: [{ field: 'assignee', value: 'kari', lines: 5 }],
  }
  expect(reportsOf({ ...tried, ...more }).map(({ lines }) => lines)).toEqual([
    ['title, 1 line'],
    ['status Done as Resolved, 2 lines'],
    ['assignee kari, 5 lines'],
  ])
})

it('imports only what was tried', () => {
  expect(whyNot(tried, false)).toBeUndefined()
  expect(whyNot(tried, true)).toMatch(/being tried/)
  expect(whyNot({ ...tried, added: 0, updated: 0 }, false)).toBe('Nothing is new or changed.')
})
