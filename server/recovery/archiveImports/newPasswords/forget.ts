import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'

/** Forgets new passwords that nobody saw in time. Their accounts keep them until somebody makes a further link. */
export const forgetNew = ({ db }: App): Promise<void> =>
  db.transaction(async (tx) => {
    const gone = await rows<{ id: number }>(
      tx,
      sql`delete from secrets s using new_passwords p where s.name = 'new-password:' || p.new_password_id and p.until <= now()
        returning p.import_id as id`,
    )
    for (const id of new Set(gone.map((one) => one.id))) await changed(tx, 'archiveImports', id)
  })
