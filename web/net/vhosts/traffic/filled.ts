import type { TrafficPoint } from '@innkeeper/contract/net/vhosts/shapes'

const QUARTER = 900_000
const HOUR = 3_600_000

/** One point per quarter of an hour (for a week: per hour), 0 without requests. */
export function filled(found: readonly TrafficPoint[], hours: number, now = Date.now()): TrafficPoint[] {
  const step = hours > 24 ? HOUR : QUARTER
  const last = Math.floor(now / step) * step
  const points = new Map<number, TrafficPoint>()
  for (let at = last - hours * HOUR + step; at <= last; at += step)
    points.set(at, { at: new Date(at).toISOString(), hits: 0, misses: 0, passed: 0, bytes: 0 })
  for (const { at, hits, misses, passed, bytes } of found) {
    const point = points.get(Math.floor(Date.parse(at) / step) * step)
    if (!point) continue
    point.hits += hits
    point.misses += misses
    point.passed += passed
    point.bytes += bytes
  }
  return [...points.values()]
}
