/** A step is available when all earlier steps are complete. */
export const isAvailable = (done: readonly boolean[], step: number): boolean => done.slice(0, step).every(Boolean)

/** The step to show: the requested one, or the furthest available. */
export function shownStep(done: readonly boolean[], asked: number): number {
  const last = done.length - 1
  const wanted = Math.min(Math.max(0, asked), last)
  return isAvailable(done, wanted) ? wanted : done.indexOf(false)
}
