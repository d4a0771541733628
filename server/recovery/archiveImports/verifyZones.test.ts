import { numberOfType } from '@innkeeper/contract/net/dns/typeNumbers'
import { expect, test } from 'vitest'
import { askable, differing } from './verifyZones.ts'

const set = (owner: string, recordType: string, n = 1) =>
  ({ owner, recordType, ttl: 300, contents: Array.from({ length: n }, (_, i) => `${i}`) }) as never // no content is one of its type: only numbers are compared

test('a name server is asked for what it answers itself, not for what lies at and below a delegation', () => {
  const sets = [
    ...[
      set('one.example', 'NS', 2),
      set('www.one.example', 'A'),
      set('shop.one.example', 'NS'),
      set('shop.one.example', 'DS'),
    ],
    ...[set('ns.shop.one.example', 'A'), set('workshop.one.example', 'A')],
  ]
  const asked = askable('one.example', sets).map(({ owner, recordType }) => `${owner} ${recordType}`)
  expect(asked).toEqual(['one.example NS', 'www.one.example A', 'shop.one.example DS', 'workshop.one.example A'])
})

test('a set of which a name server answers fewer records, or nothing, is named', async () => {
  const answers = (n: number, type: string) => ({
    ...{ code: 0, authority: [] },
    answers: Array.from({ length: n }, () => ({
      ...{ owner: new Uint8Array(), ttl: 300, data: new Uint8Array(), type: numberOfType(type)! },
    })),
  })
  const wrong = await differing(
    async (name, type) => {
      if (name.startsWith('dead')) throw new Error('does not answer')
      return type === numberOfType('MX') ? answers(1, 'MX') : answers(2, 'A')
    },
    [set('one.example', 'A', 2), set('one.example', 'MX', 2), set('dead.one.example', 'A')],
  )
  expect(wrong.toSorted()).toEqual(['dead.one.example A: does not answer', 'one.example MX: 1 of 2 records'])
})

test('a set with the right number of records and another content is named', async () => {
  const wrong = await differing(
    async (_, type) => ({
      ...{ code: 0, authority: [] },
      answers: [{ owner: new Uint8Array(), ttl: 300, data: Uint8Array.of(192, 0, 2, 66), type }],
    }),
    ['192.0.2.66', '192.0.2.9'].map(
      (content) => ({ owner: `${content}.example`, recordType: 'A', ttl: 300, contents: [content] }) as never,
    ),
  )
  expect(wrong).toEqual(['192.0.2.9.example A: other content than 192.0.2.9'])
})
