import * as z from 'zod'

const amount = z.int().min(0).max(1000).default(0)
/** How many backups of each age remain, with the meaning of restic's `--keep-…`. All zero: no policy. */
export const keepPolicy = z.object({
  last: amount,
  hourly: amount,
  daily: amount,
  weekly: amount,
  monthly: amount,
  yearly: amount,
})
export type KeepPolicy = z.output<typeof keepPolicy>
export const keepNames = ['last', 'hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
export const keepsNothing = (policy: KeepPolicy): boolean => keepNames.every((name) => policy[name] === 0)

export interface Kept {
  id: number
  at: string
  /** Held by a person: no policy removes the backup. */
  held?: boolean
  /** A partial backup never replaces the last good one. */
  partial?: boolean
}
export interface Verdict {
  id: number
  at: string
  /** Why the backup stays: `daily`, `held`. Empty: the policy removes it. */
  reasons: string[]
}

/** Verdicts on the backups of one website. The newest of each period stays, and always the newest good backup. */
export function judge(backups: readonly Kept[], policy: KeepPolicy): Verdict[] {
  const newest = backups.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.id - a.id)
  const left = { ...policy }
  const seen: Record<string, string> = {}
  const good = newest.find(({ partial }) => !partial)?.id
  return newest.map(({ id, at, held }) => {
    const reasons = held ? ['held'] : []
    for (const name of keepNames) {
      const period = name === 'last' ? String(id) : periodOf(name, new Date(at))
      if (left[name] <= 0 || seen[name] === period) continue
      left[name] -= 1
      seen[name] = period
      reasons.push(name)
    }
    if (id === good && !reasons.length) reasons.push('last good')
    return { id, at, reasons }
  })
}

function periodOf(name: Exclude<(typeof keepNames)[number], 'last'>, at: Date): string {
  const iso = at.toISOString()
  if (name === 'hourly') return iso.slice(0, 13)
  if (name === 'daily') return iso.slice(0, 10)
  if (name === 'monthly') return iso.slice(0, 7)
  if (name === 'yearly') return iso.slice(0, 4)
  const monday = new Date(at)
  monday.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  return monday.toISOString().slice(0, 10)
}

/** A policy in words: `7 daily, 4 weekly`. */
export const keepText = (policy: KeepPolicy): string =>
  keepNames.flatMap((name) => (policy[name] ? `${policy[name]} ${name}` : [])).join(', ') || 'everything'
