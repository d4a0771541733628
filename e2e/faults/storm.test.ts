import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onHosts } from '../hosts.ts'
import { inOneLine, storm } from './storm.ts'
import { openWorld, type World } from './world.ts'

const day = Math.floor(Date.now() / 86_400_000)
const rounds = 4
const without = existsSync('/usr/lib/postgresql') ? {} : { skip: true, meta: { why: 'PostgreSQL is not installed' } }

describe('random faults, another slice each day', onHosts.skip ? onHosts : without, () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ hostMb: 400 })
  })
  afterAll(() => world?.close())

  test(`seed ${day}: nothing is lost or done twice, and other websites are not affected`, async () => {
    const summary = await storm(world, { seed: day, rounds, light: true, busy: true }, console.log)
    console.log(inOneLine(day, summary))
    console.log(`repeat with: node e2e/faults/main.ts --light --seed ${day} --rounds ${rounds}`)
    expect(summary.violations).toEqual([])
    expect(summary.rounds).toBe(rounds)
  })
})
