import { awaited } from '../patience/patience.ts'
import { speaker } from '../patience/speaker.ts'

const tails = new Map<string, Promise<unknown>>()
/** The operation that runs now, per key. */
const holders = new Map<string, string>()

/**
 * Runs one task at a time per key, in the order of the calls: two websites of one server must not reload its web server
 * or write /etc/passwd at once. The lock covers this process only; no other process makes these changes for Innkeeper.
 * The log of an operation that waits says for which one.
 */
export async function exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve()
  const held = async () => {
    holders.set(key, speaker()?.name ?? 'another operation')
    try {
      return await work()
    } finally {
      holders.delete(key)
    }
  }
  const free = before.catch(() => {}) // the caller of the previous task handles its failure
  const mine = free.then(held)
  tails.set(key, mine)
  try {
    await awaited(() => `waits for ${holders.get(key) ?? 'another operation'}, which changes ${key}`, free)
    return await mine
  } finally {
    if (tails.get(key) === mine) tails.delete(key)
  }
}
