const tails = new Map<string, Promise<unknown>>()

/**
 * One at a time per key, in the order of asking: two websites of one server must not test and reload its web server, or write
 * /etc/passwd, at once. Within this process, which is the only one that does so for Innkeeper.
 */
export async function exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve()
  const mine = before.then(work, work) // how the one before ended is its own caller's matter
  tails.set(key, mine)
  try {
    return await mine
  } finally {
    if (tails.get(key) === mine) tails.delete(key)
  }
}
