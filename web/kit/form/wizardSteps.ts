/** A step can be opened when all before it are done; the one that is open, and those behind it, always. */
export const isAvailable = (done: readonly boolean[], step: number): boolean => done.slice(0, step).every(Boolean)

/** The step that is shown: the one asked for, or the furthest that is available. */
export function shownStep(done: readonly boolean[], asked: number): number {
  const last = done.length - 1
  const wanted = Math.min(Math.max(0, asked), last)
  return isAvailable(done, wanted) ? wanted : done.indexOf(false)
}
