import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onHosts } from '../hosts.ts'
import { atTheDoor } from './door.ts'
import { openWorld, type World } from './world.ts'

const day = Math.floor(Date.now() / 86_400_000)
const cases = 250
const without = existsSync('/usr/bin/strace') ? {} : { skip: true, meta: { why: 'strace is not installed' } }

describe('hostile values on a real host, another slice each day', onHosts.skip ? onHosts : without, () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world?.close())

  // each answer has a limit of its own, which names what lacks
  test(`seed ${day}: nothing else is left, started or changed`, async () => {
    const { violations, refused, carriedOut } = await atTheDoor(world, { seed: day, cases }, console.log)
    console.log(`repeat with: npm run test:hostile -- --through agent --seed ${day} --cases ${cases}`)
    expect(violations).toEqual([])
    expect(refused + carriedOut).toBe(cases)
    expect(carriedOut).toBeGreaterThan(3)
  })
})
