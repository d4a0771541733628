import { expect, test } from 'vitest'
import { unknownKinds } from './storm.ts'

test('every kind of workflow has a scenario in kinds.ts', async () => {
  expect(await unknownKinds()).toEqual([])
})
