import { expect, test } from 'vitest'
import { unknownKinds } from './storm.ts'

test('each kind of workflow that can be started has its part in the storm: write it into kinds.ts', async () => {
  expect(await unknownKinds()).toEqual([])
})
