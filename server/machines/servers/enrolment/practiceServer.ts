import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { and, eq, isNull } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { changed } from '../../../kit/live/live.ts'
import { servers } from '../tables.ts'
import { enrolmentCommand, newEnrolment } from './enrolment.ts'

/** Note that distinguishes a practice server from a server with such a name that a person added. */
export const PRACTICE_NOTE = 'A practice server on this machine'

/** Finds or creates the server row of a practice host. Returns whether an agent is enrolled for it. */
export async function practiceServer(
  app: App,
  { name, address, type }: { name: string; address: string; type: Server['type'] },
): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const [known] = await tx.update(servers).set({ address }).where(named(name)).returning()
    const [server] = known
      ? [known]
      : await tx.insert(servers).values({ name, address, type, note: PRACTICE_NOTE }).returning()
    await changed(tx, 'servers', server?.id)
    return Boolean(server?.credentialHash && !server.credentialRevokedAt)
  })
}

const named = (name: string) => and(eq(servers.name, name), isNull(servers.deletedAt))

export async function enrolByName(app: App, name: string, gateway: string): Promise<string> {
  const [server] = await app.db.select({ id: servers.id }).from(servers).where(named(name))
  if (!server) throw new Error(`${name} was deleted meanwhile`)
  const { token } = await app.db.transaction((tx) => newEnrolment(tx, server.id, 'Innkeeper'))
  return enrolmentCommand(app, token, gateway)
}
