import type { Context } from '../../kit/http/api.ts'

/**
 * What an appointment lets the person read or decide, and the other not: a message, or undefined. Whoever can sign in as
 * the person reads what they read (decision 139).
 */
export async function beyondAppointments(
  { app, db, now }: Pick<Context, 'app' | 'db' | 'now'>,
  otherId: number,
  person: { id: number; name: string },
): Promise<string | undefined> {
  const found = await app.appointments(db, [otherId, person.id], now)
  const reach = new Map(found.filter(({ userId }) => userId === otherId).map(({ does, over }) => [does, new Set(over)]))
  const more = found.find(
    ({ userId, does, over }) => userId === person.id && over.some((id) => !reach.get(does)?.has(id)),
  )
  return more && `${person.name} ${more.does} people, and you do not`
}
