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

describe('the duration of a wrong sign-in', { timeout: full ? 1_800_000 : 300_000 }, () => {
  it('is measured well enough to detect a real difference', () => {
    const base = Array.from({ length: SAMPLES }, (_, i) => 20 + (i % 7))
    const quicker = base.map((ms) => ms - 10)
    expect(longer(base, quicker) - 0.5).toBeGreaterThan(LIMIT)
  })
  it('does not reveal whether the name exists', async () => {
    const { there, notThere } = await signIns.wrong(SAMPLES)
    expect(Math.abs(longer(there, notThere) - 0.5)).toBeLessThan(LIMIT)
  })
  it('does not reveal whether a locked name exists', async () => {
    const { there, notThere } = await signIns.locked(SAMPLES)
    expect(Math.abs(longer(there, notThere) - 0.5)).toBeLessThan(LIMIT)
  })
})
