import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type PlanStep, secret, step } from '../../kit/work/action.ts'
import { packagesEnsure } from '../../machines/servers/actions.ts'
import { servers } from '../../machines/servers/tables.ts'
import { folderOf } from '../websites/folders.ts'
import type { Site } from '../websites/siteSteps.ts'
import { ftpEnsure, ftpUserEnsure, ftpUserRemove } from './actions.ts'
import { ftpServers, type ftpUsers } from './tables.ts'

export type Row = typeof ftpUsers.$inferSelect
type On = Pick<Site, 'server' | 'systemUser' | 'documentRoot' | 'domain'>
/** Resource type of steps that decide the state of the user's row (lifecycle.ts). */
export const OWN = 'ftp-user'

const on = (server: number, { id, username }: Pick<Row, 'id' | 'username'>, type: string) => ({
  server,
  resource: { type, id, name: username },
})

/** Desired state on the server: the status of the user combined with the status of its website. */
export function stateOf(
  { status, expiresAt }: Pick<Row, 'status' | 'expiresAt'>,
  website: 'active' | 'suspended' = 'active',
): 'active' | 'suspended' | 'disabled' {
  if (website === 'suspended' || status === 'suspended') return 'suspended'
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? 'suspended' : status
}

/** Step that gives the login the settings of its row. */
export const userStep = (
  site: Site & On,
  user: Row,
  state: 'active' | 'suspended' | 'disabled',
  type: string = OWN,
): PlanStep =>
  step(
    ftpUserEnsure,
    {
      id: user.id,
      name: user.username,
      username: site.systemUser.username,
      site: folderOf(site),
      folder: user.folder,
      hash: secret(user.secret),
      state,
      ...(user.quotaMb !== null && { quotaMb: user.quotaMb }),
      ...(user.uploadKbps !== null && { uploadKbps: user.uploadKbps }),
      ...(user.downloadKbps !== null && { downloadKbps: user.downloadKbps }),
      ...(user.sessions !== null && { sessions: user.sessions }),
      ...(user.expiresAt && { expires: Math.floor(Date.parse(user.expiresAt) / 1000) }),
    },
    on(site.server.id, user, type),
  )

export const removalStep = (user: Row, server: number, type: string = OWN): PlanStep =>
  step(ftpUserRemove, { id: user.id, name: user.username }, on(server, user, type))

/** Step that configures the service of a server. */
export const serviceStep = (server: { id: number; name: string }, plain: boolean, before?: true): PlanStep =>
  step(
    ftpEnsure,
    { plain, ...(before && { before }) },
    {
      server: server.id,
      resource: { type: before ? 'ftp-package' : 'ftp', id: server.id, name: server.name },
    },
  )

/** Steps that install FTP with the first user of a server; none if FTP runs there already. */
export async function serviceSteps(db: Db, serverId: number): Promise<PlanStep[]> {
  const [server] = await db.select().from(servers).where(eq(servers.id, serverId))
  if (!server) return []
  const [ftp] = await db.select().from(ftpServers).where(eq(ftpServers.serverId, serverId))
  if (ftp?.readyAt) return []
  const plain = ftp?.plain ?? false
  return [serviceStep(server, plain, true), packagesStep(server), serviceStep(server, plain)]
}

const packagesStep = ({ id, name }: { id: number; name: string }): PlanStep =>
  step(
    packagesEnsure,
    { packages: ['pure-ftpd', 'openssl', 'nftables'] },
    { server: id, resource: { type: 'ftp', id, name } },
  )

/** Steps that bring the FTP service of a server up to date after an update of its agent. */
export const renewalSteps = (server: { id: number; name: string }, plain: boolean): PlanStep[] => [
  packagesStep(server),
  serviceStep(server, plain),
]
