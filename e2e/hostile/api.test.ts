import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onHosts } from '../hosts.ts'
import { throughTheApi } from './api.ts'
import { type ApiWorld, openApiWorld } from './apiWorld.ts'

const day = Math.floor(Date.now() / 86_400_000)
const cases = 200

describe('hostile values through the API to a real host, another slice each day', onHosts, () => {
  let world: ApiWorld
  beforeAll(async () => {
    world = await openApiWorld()
  })
  afterAll(() => world?.close())

  test(`seed ${day}: each is refused at its field, or leaves on the host only what it asks for`, async () => {
    const { violations, refused, taken, carriedOut } = await throughTheApi(world, { seed: day, cases }, console.log)
    console.log(`repeat with: npm run test:hostile -- --through api --seed ${day} --cases ${cases}`)
    expect(violations).toEqual([])
    expect(refused + taken + carriedOut).toBe(cases)
    expect(carriedOut).toBeGreaterThan(1)
  })
})
