import { and, isNull } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import { owners } from '../owners/tables.ts'

/** Problems of an input by field. */
export type Problems = Record<string, string>

const serversByIds = byIds((db, isWanted) =>
  db
    .select()
    .from(servers)
    .where(and(isWanted(servers.id), isNull(servers.deletedAt))),
)
const ownersByIds = byIds((db, isWanted) =>
  db
    .select()
    .from(owners)
    .where(and(isWanted(owners.id), isNull(owners.deletedAt))),
)

export async function findServer(db: Db, id: number | undefined, problems: Problems) {
  if (id === undefined) return undefined
  const [server] = await serversByIds(db, [id])
  if (!server) problems.originServer = `No server ${id}`
  else if (!['web', 'all-in-one'].includes(server.type))
    problems.originServer = `${server.name} is a ${server.type} server`
  else if (server.status === 'down') problems.originServer = `${server.name} is set down`
  else if (!server.acceptsNew) problems.originServer = `${server.name} accepts no new websites`
  else if (!server.enrolledAt) problems.originServer = `${server.name} has no agent yet`
  else if (!server.provisionedAt) problems.originServer = `${server.name} is not provisioned yet`
  return server
}

export async function findOwner(db: Db, id: number | undefined, problems: Problems) {
  if (id === undefined) return undefined
  const [owner] = await ownersByIds(db, [id])
  if (!owner) problems.userId = `No owner ${id}`
  return owner
}

/** Accounts and groups of Debian. Checked here because useradd would fail only when the workflow runs. */
const reserved = new Set(
  [
    'root daemon bin sys sync games man lp mail news uucp proxy backup list irc gnats nobody admin administrator messagebus',
    'sshd mysql postgres redis nginx postfix dovecot bind pdns ftp git adm tty disk kmem dialout fax voice cdrom floppy tape',
    'sudo audio dip operator src shadow utmp video sasl plugdev staff users nogroup input sgx kvm render crontab netdev ssl',
    'dovenull vmail polkitd avahi statd tss uuidd lxd docker wheel bluetooth lpadmin scanner sambashare innkeeper postdrop',
  ].flatMap((names) => names.split(' ')),
)
export const isReserved = (name: string) => reserved.has(name) || name.startsWith('systemd') || /^www/.test(name)
