const tails = new Map<string, Promise<unknown>>()

/**
 * Runs one task at a time per key, in the order of the calls: two websites of one server must not reload its web server
 * or write /etc/passwd at once. The lock covers this process only; no other process makes these changes for Innkeeper.
 */
export async function exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve()
  const mine = before.then(work, work) // the caller of the previous task handles its failure
  tails.set(key, mine)
  try {
    return await mine
  } finally {
    if (tails.get(key) === mine) tails.delete(key)
  }
}
