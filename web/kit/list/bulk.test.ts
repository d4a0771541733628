import { expect, it } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { ApiError } from '../api/client.ts'
import { eachRow } from './bulk.ts'

const name = (id: number) => ({ id, name: `site${id}.no` })

it('a refused row does not stop the others, and reports its error', async () => {
  const results = await eachRow([1, 2, 3], name, async (id) => {
    if (id === 2) throw new ApiError(422, { message: 'site2.no is suspended already', code: 'refused' })
  })
  expect(results).toEqual([
    { id: 1, name: 'site1.no' },
    { id: 2, name: 'site2.no', error: 'site2.no is suspended already' },
    { id: 3, name: 'site3.no' },
  ])
})

it('at most four calls run at once, and each end is reported', async () => {
  let under = 0
  let most = 0
  const told: number[] = []
  const rows = Array.from({ length: 11 }, (_, i) => i)
  await eachRow(
    rows,
    name,
    async () => {
      under += 1
      most = Math.max(most, under)
      await letPass(1, 'an act takes time')
      under -= 1
    },
    (done) => told.push(done),
  )
  expect(most).toBe(4)
  expect(told.at(-1)).toBe(11)
})

it('without rows, no call is made', async () => {
  expect(await eachRow([], name, () => Promise.reject(new Error('called')))).toEqual([])
})
