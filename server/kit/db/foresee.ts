import type { Db } from './db.ts'

/** What a change would do: makes the change in a transaction that is rolled back. */
export async function foresee<T>(db: Db, change: (tx: Db) => Promise<T>): Promise<T> {
  const undone = new Error('foreseen')
  let found: { value: T } | undefined
  try {
    await db.transaction(async (tx) => {
      found = { value: await change(tx) }
      throw undone
    })
  } catch (error) {
    if (error !== undone || !found) throw error
  }
  return found!.value // without an error the transaction has set the value
}
