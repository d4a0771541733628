/**
 * Runs `work` for each item, at most `most` at a time. Returns the results in the order of the items; rejects with the
 * first error.
 */
export async function inParallel<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  const left = items.entries()
  const one = async () => {
    for (const [i, item] of left) done[i] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, one))
  return done
}
