import { holds } from '@innkeeper/contract/kit/access'
import type { lostSecrets as contract } from '@innkeeper/contract/lostSecrets'
import { sql } from 'drizzle-orm'
import { lostOf } from '../kit/app/lostSecrets.ts'
import { rows } from '../kit/db/db.ts'
import type { Handlers } from '../kit/http/api.ts'

/** Objects that the screen names for each kind; the rest is counted. */
const NAMED = 100

export const lostSecretsHandlers: Handlers<typeof contract> = {
  async list(_, { app, db, staff }) {
    const [any] = await rows<{ some: boolean }>(
      db,
      sql`select exists (select from secrets where lost_at is not null) as some`,
    )
    const items = []
    for (const kind of any?.some ? app.secretKinds : []) {
      const { what, again, enter } = kind
      if (!enter || !holds(staff, enter.scope)) continue
      const { count, objects } = await lostOf(db, kind, NAMED, { living: true })
      if (count) items.push({ what, again, at: enter.at, count, objects })
    }
    return { items }
  },
}
