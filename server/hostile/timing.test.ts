import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../kit/test.ts'
import { full, saySeed } from './seed.ts'

/** Samples of each kind: by rank, no difference at all spreads around a half by √((2n+1)/12n²), five times that is let pass. */
const SAMPLES = full ? 5000 : 60
const LIMIT = 5 * Math.sqrt((2 * SAMPLES + 1) / (12 * SAMPLES * SAMPLES))

let t: TestApp
const people: string[] = []
beforeAll(async () => {
  saySeed('timing')
  t = await openTestApp()
  for (let n = 0; n < 12; n++) people.push(`resident${n}`)
  for (const name of people) await t.somebody([], name)
})
afterAll(() => t.close())

async function guess(user: string, expected: number): Promise<number> {
  const from = performance.now()
  const { status } = await t.call('POST', '/api/auth/token', { body: { user, password: 'a wrong guess' } })
  expect(status).toBe(expected)
  return performance.now() - from
}

/** How often a sample of `a` took longer than one of `b`: a half says that time tells nothing. */
function longer(a: number[], b: number[]): number {
  const ordered = [...a.map((ms) => ({ ms, mine: 1 })), ...b.map((ms) => ({ ms, mine: 0 }))].sort((x, y) => x.ms - y.ms)
  const ranks = ordered.reduce((sum, { mine }, i) => sum + mine * (i + 1), 0)
  return (ranks - (a.length * (a.length + 1)) / 2) / (a.length * b.length)
}

/** One after the other in turns, the order within a turn by chance, so that a busy machine is as busy for both. */
async function compare(there: () => string, notThere: () => string, expected: number): Promise<number> {
  const times = { there: [] as number[], notThere: [] as number[] }
  for (let n = 0; n < SAMPLES; n++) {
    if (expected === 401) await t.app.db.execute(sql`delete from sign_in_attempts`)
    const turns = [() => guess(there(), expected).then((ms) => times.there.push(ms))]
    turns[Math.random() < 0.5 ? 'push' : 'unshift'](() =>
      guess(notThere(), expected).then((ms) => times.notThere.push(ms)),
    )
    for (const turn of turns) await turn()
  }
  return longer(times.there, times.notThere)
}

describe('how long a wrong sign-in takes', { timeout: full ? 1_800_000 : 60_000 }, () => {
  let n = 0
  const resident = () => people[n++ % people.length]!
  const stranger = () => `stranger${n++ % people.length}`
  it('is told apart by this measure where there is a difference', () => {
    const base = Array.from({ length: SAMPLES }, (_, i) => 20 + (i % 7))
    expect(
      longer(
        base,
        base.map((ms) => ms - 10),
      ) - 0.5,
    ).toBeGreaterThan(LIMIT)
  })
  it('says nothing about whether the name exists', async () => {
    expect(Math.abs((await compare(resident, stranger, 401)) - 0.5)).toBeLessThan(LIMIT)
  })
  it('says nothing about it once the name is locked', async () => {
    await t.app.db.execute(sql`insert into sign_in_attempts (name, failed, since)
      select name, 50, now() from unnest(${`{${people.join()},${people.map((_, i) => `stranger${i}`).join()}}`}::text[]) name
      on conflict (name) do update set failed = 50, since = now()`)
    expect(Math.abs((await compare(resident, stranger, 429)) - 0.5)).toBeLessThan(LIMIT)
  })
})
