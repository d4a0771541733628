import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { full, saySeed } from './seed.ts'
import { limitOf, longer, openSignIns, type SignIns } from './timing.ts'

const SAMPLES = full ? 5000 : 60
const LIMIT = limitOf(SAMPLES)

let signIns: SignIns
beforeAll(async () => {
  saySeed('timing')
  signIns = await openSignIns()
})
afterAll(() => signIns.close())

describe('how long a wrong sign-in takes', { timeout: full ? 1_800_000 : 60_000 }, () => {
  it('is told apart by this measure where there is a difference', () => {
    const base = Array.from({ length: SAMPLES }, (_, i) => 20 + (i % 7))
    const quicker = base.map((ms) => ms - 10)
    expect(longer(base, quicker) - 0.5).toBeGreaterThan(LIMIT)
  })
  it('says nothing about whether the name exists', async () => {
    const { there, notThere } = await signIns.wrong(SAMPLES)
    expect(Math.abs(longer(there, notThere) - 0.5)).toBeLessThan(LIMIT)
  })
  it('says nothing about it once the name is locked', async () => {
    const { there, notThere } = await signIns.locked(SAMPLES)
    expect(Math.abs(longer(there, notThere) - 0.5)).toBeLessThan(LIMIT)
  })
})
