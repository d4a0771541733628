/** A slow statement from a log of the engine. */
export interface Slow {
  sql: string
  /** Milliseconds since the epoch. */
  at: number
  ms: number
  /** Rows that the engine read for the answer; null where the engine does not say. */
  examined: number | null
  sent: number | null
}
export interface Statement {
  sql: string
  count: number
  totalMs: number
  worstMs: number
  lastAt: string
  examined: number | null
  sent: number | null
}

const MOST = 100
const MOST_TEXT = 2000

/** The statement without its values, so that runs with different values count as one statement. */
export function normalised(sql: string): string {
  return sql
    .replaceAll(/\/\*.*?(?:\*\/|$)|--[^\n]*/gs, ' ')
    .replaceAll(/'[^'\\]*(?:(?:\\.?|'')[^'\\]*)*(?:'|$)/gs, '?')
    .replaceAll(/\b0x[0-9a-f]+\b|(?<![\w$`"])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi, '?')
    .replaceAll(/\$\d+/g, '?')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\(\s*\?(?:\s*,\s*\?)+\s*\)/g, '(?, …)')
    .replaceAll(/(\(\?(?:, …)?\))(?:\s*,\s*\(\?(?:, …)?\))+/g, '$1, …')
    .trim()
    .replace(/;$/, '')
    .slice(0, MOST_TEXT)
}

/** Sums up runs by statement, the most costly statement first. */
export function summedUp(
  runs: Iterable<Slow>,
  keyOf: (one: Slow) => string = ({ sql }) => normalised(sql),
): Statement[] {
  const found = new Map<string, Statement & { last: number }>()
  const plus = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0))
  for (const one of runs) {
    const sql = keyOf(one)
    const before = found.get(sql)
    const last = Math.max(before?.last ?? 0, one.at)
    found.set(sql, {
      sql,
      last,
      count: (before?.count ?? 0) + 1,
      totalMs: (before?.totalMs ?? 0) + one.ms,
      worstMs: Math.max(before?.worstMs ?? 0, one.ms),
      lastAt: new Date(last).toISOString(),
      examined: plus(before?.examined ?? null, one.examined),
      sent: plus(before?.sent ?? null, one.sent),
    })
  }
  return [...found.values()]
    .toSorted((a, b) => b.totalMs - a.totalMs)
    .slice(0, MOST)
    .map(({ last: _, ...one }) => ({ ...one, totalMs: Math.round(one.totalMs), worstMs: Math.round(one.worstMs) }))
}
