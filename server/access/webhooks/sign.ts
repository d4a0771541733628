import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'

export const secretName = (id: number) => `webhook ${id}`
export const oldSecretName = (id: number) => `webhook-old ${id}`

/** The secrets that sign now: the present one, and until its overlap ends the former one. Empty if it was lost. */
export async function secretsOf(
  { secrets }: Pick<App, 'secrets'>,
  db: Db,
  { id, hasOld }: { id: number; hasOld: boolean },
): Promise<string[]> {
  const present = await secrets.readKept(db, secretName(id))
  if (present === undefined) return []
  const old = hasOld ? await secrets.readKept(db, oldSecretName(id)) : undefined
  return old === undefined ? [present] : [present, old]
}
