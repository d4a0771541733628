import { countSegments } from '@innkeeper/contract/desk/sms/segments'
import { expect, test } from 'vitest'
import { ofPeople, unfilled } from './examples.ts'

test('a value that is not given yet does not turn the text of a template into UCS-2', () => {
  const text = ['Hi', ...ofPeople.map(({ example }) => example), unfilled('from')].join(' ')
  expect(countSegments(text)).toMatchObject({ encoding: 'GSM-7', segments: 1 })
})
