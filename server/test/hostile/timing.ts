import { sql } from 'drizzle-orm'
import { openTestApp, type TestApp } from '../app.ts'

/**
 * The limit for `samples` of each kind. Without any difference, the rank sum is 0.5 ± √((2n+1)/12n²); the limit is five
 * times that.
 */
export const limitOf = (samples: number) => 5 * Math.sqrt((2 * samples + 1) / (12 * samples * samples))

/** Share of pairs in which the sample of `a` took longer than that of `b`; 0.5 means no difference. */
export function longer(a: readonly number[], b: readonly number[]): number {
  const ordered = [...a.map((ms) => ({ ms, mine: 1 })), ...b.map((ms) => ({ ms, mine: 0 }))].sort((x, y) => x.ms - y.ms)
  const ranks = ordered.reduce((sum, { mine }, i) => sum + mine * (i + 1), 0)
  return (ranks - (a.length * (a.length + 1)) / 2) / (a.length * b.length)
}

/** Durations of wrong sign-ins in ms, for existing people and for unknown names. */
export interface Times {
  there: number[]
  notThere: number[]
}
export interface SignIns {
  /** Alternates both kinds in random order, so that the load of the machine affects both equally. */
  wrong(samples: number, say?: (line: string) => void): Promise<Times>
  /** The same for locked names. */
  locked(samples: number): Promise<Times>
  close(): Promise<void>
}
const names = 12
const progress = 1000

/** A test API with some people, for measuring wrong sign-ins. Throws on an unexpected answer. */
export async function openSignIns(): Promise<SignIns> {
  const t = await openTestApp()
  const resident = (n: number) => `resident${n % names}`
  const stranger = (n: number) => `stranger${n % names}`
  for (let n = 0; n < names; n++) await t.somebody([], resident(n))

  async function take(samples: number, expected: number, before: () => Promise<unknown>, say?: (line: string) => void) {
    const times: Times = { there: [], notThere: [] }
    for (let n = 0; n < samples; n++) {
      await before()
      const turns = [() => guess(t, resident(n), expected).then((ms) => times.there.push(ms))]
      turns[Math.random() < 0.5 ? 'push' : 'unshift'](() =>
        guess(t, stranger(n), expected).then((ms) => times.notThere.push(ms)),
      )
      for (const turn of turns) await turn()
      if ((n + 1) % progress === 0) say?.(`${2 * (n + 1)} sign-ins`)
    }
    return times
  }
  return {
    wrong: (samples, say) => take(samples, 401, () => t.app.db.execute(sql`delete from sign_in_attempts`), say),
    async locked(samples) {
      const all = Array.from({ length: names }, (_, n) => [resident(n), stranger(n)]).flat()
      await t.app.db.execute(sql`insert into sign_in_attempts (name, failed, since)
        select name, 50, now() from unnest(${`{${all.join()}}`}::text[]) name
        on conflict (name, place) do update set failed = 50, since = now()`)
      return take(samples, 429, async () => {})
    },
    close: () => t.close(),
  }
}

async function guess(t: TestApp, user: string, expected: number): Promise<number> {
  const from = performance.now()
  const { status } = await t.call('POST', '/api/auth/token', { body: { user, password: 'a wrong guess' } })
  const ms = performance.now() - from
  if (status !== expected) throw new Error(`A wrong sign-in of ${user} answers ${status}, not ${expected}`)
  return ms
}
