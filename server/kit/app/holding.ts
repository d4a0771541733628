import type { Db } from '../db/db.ts'

/** Things of one kind that a person can hold, and how they pass to an heir when the account is deleted. */
export interface Holding {
  key: string
  /** "Open workflows" */
  label: string
  count(db: Db, userId: number): Promise<number>
  handOver(db: Db, from: number, to: { id: number; name: string }): Promise<void>
}
