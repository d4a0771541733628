import type { Holding as Found } from '@innkeeper/contract/access/users/shapes'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'

/** Holdings of a person in all domains, without empty kinds. */
export async function holdingsOf({ holdings }: App, db: Db, userId: number): Promise<Found[]> {
  const found: Found[] = []
  for (const { key, label, count } of holdings) {
    const n = await count(db, userId)
    if (n > 0) found.push({ key, label, count: n })
  }
  return found
}

export async function handOver(
  context: Pick<Context, 'app' | 'db' | 'staff' | 'now'>,
  from: number,
  to: { id: number; name: string },
): Promise<void> {
  const { app, db } = context
  for (const holding of app.holdings) await holding.handOver(db, from, to, context)
}
