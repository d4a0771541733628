import { holdersOf } from '../access/notifications/holders.ts'
import { notify } from '../access/notifications/notify.ts'
import type { SecretKind } from '../kit/app/secretKinds.ts'
import type { Db } from '../kit/db/db.ts'

/** Notifies everybody who can enter one of these kinds again. */
export async function notifyOfLost(db: Db, kinds: readonly SecretKind[]): Promise<void> {
  const scopes = new Set(kinds.flatMap(({ enter }) => enter?.scope ?? []))
  const people = new Set<number>()
  for (const scope of scopes) for (const id of await holdersOf(db, scope)) people.add(id)
  await notify(db, {
    to: [...people],
    reason: 'rights',
    level: 'error',
    title: 'Secrets were lost with Innkeeper’s key',
    body: 'Passwords and keys have to be entered again. The list says which and where.',
    link: '/lost-secrets',
  })
}
