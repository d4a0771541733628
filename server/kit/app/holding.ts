import type { Db } from '../db/db.ts'

/** One kind of object that a person can own, and how it is transferred to a successor when the account is deleted. */
export interface Holding {
  key: string
  /** "Open workflows" */
  label: string
  count(db: Db, userId: number): Promise<number>
  handOver(db: Db, from: number, to: { id: number; name: string }): Promise<void>
}
