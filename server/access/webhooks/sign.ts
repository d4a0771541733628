import { createHmac, randomBytes } from 'node:crypto'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'

const PREFIX = 'whsec_'
export const secretName = (id: number) => `webhook ${id}`
export const oldSecretName = (id: number) => `webhook-old ${id}`

export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

/** The signature of Standard Webhooks: `v1,…`, one for each secret, separated by spaces. */
export function signed(secrets: readonly string[], id: string, at: number, body: string): string {
  const under = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${at}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${under(secret)}`).join(' ')
}

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
