import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'

/** Ends all sessions of a person except `except`, and keys that work without a session (`Domain.endKeys`). */
export async function endEverywhere(app: App, db: Db, userId: number, except?: string): Promise<number> {
  await app.endKeys(db, [userId])
  return app.sessions.endAll(db, userId, except)
}
