import { afterEach, expect, it, vi } from 'vitest'
import { websitesByIds } from './byIds.ts'

const fetched = vi.spyOn(globalThis, 'fetch')
afterEach(() => fetched.mockReset())

it('without ids there are no websites and no request', async () => {
  expect(await websitesByIds([])).toEqual([])
  expect(fetched).not.toHaveBeenCalled()
})

it('ids are requested in one call', async () => {
  fetched.mockResolvedValue(Response.json({ Websites: [], total: 0 }))
  await websitesByIds([3, 1])
  expect(fetched.mock.calls.map(([url]) => url)).toEqual(['/api/websites?ids=3%2C1'])
})
