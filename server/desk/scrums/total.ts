interface Scored {
  weight: number
  score: number | null
}

/** Weighted share of the highest score in tenths of a percent; -1 if nothing is scored. */
export function totalOf(items: readonly Scored[], scale: number): number {
  const scored = items.flatMap(({ weight, score }) => (score === null ? [] : { weight, score }))
  const weights = scored.reduce((sum, { weight }) => sum + weight, 0)
  if (!weights) return -1
  const sum = scored.reduce((all, { weight, score }) => all + weight * score, 0)
  return Math.round((1000 * sum) / (weights * scale))
}
