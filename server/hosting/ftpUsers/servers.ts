import type { ftpUsers as contract, FtpServer } from '@innkeeper/contract/hosting/ftpUsers'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { start } from '../../kit/work/workflow.ts'
import { readGuessers } from '../../machines/ipsets/guessers/count.ts'
import { servers } from '../../machines/servers/tables.ts'
import { ftpGuesses } from './guessers.ts'
import { serviceStep } from './steps.ts'
import { ftpServers, ftpUsers } from './tables.ts'

async function readServer(db: Db, serverId: number): Promise<FtpServer> {
  const [server] = await db.select().from(servers).where(eq(servers.id, serverId))
  if (!server) throw notFound('server', serverId)
  const [ftp] = await db.select().from(ftpServers).where(eq(ftpServers.serverId, serverId))
  const users = await db.$count(ftpUsers, sql`${ftpUsers.serverId} = ${serverId} and ${ftpUsers.deletedAt} is null`)
  const { plain = false, version = 1, readyAt } = ftp ?? {}
  const installed = Boolean(readyAt)
  return {
    ...{ serverId, serverName: server.name, version, installed, plain, users },
    ...(await readGuessers(db, ftpGuesses, serverId)),
  }
}

export const serverHandlers: Pick<Handlers<typeof contract>, 'server' | 'updateServer'> = {
  server: ({ server }, { db }) => readServer(db, server),

  async updateServer({ server, plain, version }, { db, staff, audit }) {
    await db.select().from(ftpServers).where(eq(ftpServers.serverId, server)).for('update')
    const before = await readServer(db, server)
    audit.before(before)
    checkVersion(before, version, `FTP of ${before.serverName}`)
    if (!before.installed) throw refused(`${before.serverName} has no FTP yet: the first FTP user installs it`)
    if (before.plain === plain)
      throw refused(`FTP of ${before.serverName} already has this setting`, { plain: 'Already set' })
    await db.update(ftpServers).set({ nextPlain: plain }).where(eq(ftpServers.serverId, server))
    const subject = { type: 'server', id: server, name: before.serverName }
    const plan = [serviceStep({ id: server, name: before.serverName }, plain)]
    const by = { holder: staff.name, startedById: staff.id }
    const workflowId = await start(db, { kind: 'ftp-server.change', subject, ...by, plan, locks: [`ftp:${server}`] })
    const data = await readServer(db, server)
    audit.of('server', server)
    audit.workflow(workflowId)
    audit.after({ ...data, plain })
    await changed(db, 'ftpUsers')
    return { data, workflowId }
  },
}
