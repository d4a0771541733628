import type { Db } from '../db/db.ts'
import type { Context } from '../http/api.ts'

/** One kind of object that a person can own, and how it is transferred to a successor when the account is deleted. */
export interface Holding {
  key: string
  /** "Open workflows" */
  label: string
  count(db: Db, userId: number): Promise<number>
  /** `by`: who deletes the account. */
  handOver(
    db: Db,
    from: number,
    to: { id: number; name: string },
    by: Pick<Context, 'app' | 'db' | 'staff' | 'now'>,
  ): Promise<void>
}
