import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './db.ts'

const foreseen = new AsyncLocalStorage<true>()

/** Whether the running code only tries a change: whoever would be told of it is not told, so nobody needs to be found. */
export const isForeseen = (): boolean => foreseen.getStore() === true

/** What a change would do: makes the change in a transaction that is rolled back. */
export async function foresee<T>(db: Db, change: (tx: Db) => Promise<T>): Promise<T> {
  const undone = new Error('foreseen')
  let found: { value: T } | undefined
  try {
    await foreseen.run(true, () =>
      db.transaction(async (tx) => {
        found = { value: await change(tx) }
        throw undone
      }),
    )
  } catch (error) {
    if (error !== undone || !found) throw error
  }
  return found!.value // without an error the transaction has set the value
}
