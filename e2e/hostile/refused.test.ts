import { operations } from '@innkeeper/contract/agent/operations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedOf, told } from './cases.ts'
import { leaves } from './leaves.ts'
import { hostile } from './values.ts'

/** Hostile values per field. */
const EACH = 30

// door.test.ts tries a sample of the fields on a host: a single field comes up once a week
test('the agent’s contract refuses at every field what the rule of the field refuses', () => {
  const taken = leaves.flatMap((leaf, seed) => {
    const found = fc.sample(hostile(leaf.rule.kind), { seed, numRuns: EACH }).find((drawn) => {
      const value: unknown = JSON.parse(JSON.stringify(drawn)) // as the agent parses it
      const { input } = askedOf({ leaf, value, reads: undefined })
      return leaf.rule.read(value) === undefined && operations[leaf.operation].safeParse(input).success
    })
    return found === undefined ? [] : [told({ leaf, value: found, reads: undefined })]
  })
  expect(taken).toEqual([])
})
