import { createHash, randomBytes } from 'node:crypto'
import type { DoorBody } from '@innkeeper/contract/agent/door'
import type { Enrolment } from '@innkeeper/contract/machines/servers/shapes'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { download } from '../../../kit/agents/downloads.ts'
import { agentsIdentity } from '../../../kit/agents/identity.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { sqlState } from '../../../kit/db/failures.ts'
import { conflict, Refusal, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { servers } from '../tables.ts'
import { provisionAtFirst } from './provision.ts'
import { reachProblem } from './reachability.ts'

const MINUTES = 30
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Creates a token that is valid once and for half an hour; replaces an older token of the server. */
export async function newEnrolment(
  tx: Db,
  serverId: number,
  by: string,
): Promise<{ token: string; expiresAt: string }> {
  const token = randomBytes(24).toString('base64url')
  const expiresAt = new Date(Date.now() + MINUTES * 60_000).toISOString()
  await tx
    .update(servers)
    .set({ enrolTokenHash: sha256(token), enrolExpiresAt: expiresAt, enrolledBy: by })
    .where(eq(servers.id, serverId))
  return { token, expiresAt }
}

/**
 * The command that a person pastes into a root shell of the machine. `host`: the name or address at which the machine
 * reaches Innkeeper.
 */
export async function enrolmentCommand(app: App, token: string, host: string): Promise<string> {
  if (!/^([a-z0-9.-]+|\[[0-9a-f:]+\])$/i.test(host))
    throw refused(`${host} is not a host name: set INNKEEPER_PUBLIC_HOST`)
  const { pin } = await agentsIdentity(app)
  const url = `${addressFor(app.settings, host)}/enrol`
  // in a header, because logs and proxies store addresses
  return `curl -fsS --insecure --pinnedpubkey 'sha256//${pin}' -H 'Authorization: Bearer ${token}' ${url} | sh`
}

/** The address that the machine asks: the named one of this host, or the first. */
function addressFor({ agentAddresses, agentPort }: App['settings'], host: string): string {
  const asked = agentAddresses.find((one) => new URL(one).hostname === host.toLowerCase())
  return asked ?? agentAddresses[0] ?? `https://${host}:${agentPort}`
}

/** A shell command that succeeds if the machine has the current agent, configured for this host and key. */
export async function agentInPlace(app: App, host: string): Promise<string> {
  const { pin } = await agentsIdentity(app)
  const agent = await download(app.settings, 'agent.mjs')
  const settings = '/etc/innkeeper/agent.json'
  return [
    `grep -qF 'https://${host}:${app.settings.agentPort}"' ${settings}`,
    `grep -qF '${pin}' ${settings}`,
    `echo '${agent?.sha256}  /opt/innkeeper/current/agent.mjs' | sha256sum --check --status`,
  ].join(' && ')
}

/** Token, command and expiry for the person who requested an enrolment in the browser. */
export async function enrolmentFor(app: App, tx: Db, serverId: number, by: string, host: string): Promise<Enrolment> {
  const { token, expiresAt } = await newEnrolment(tx, serverId, by)
  const ours = app.settings.publicHost ?? host
  const command = await enrolmentCommand({ ...app, db: tx }, token, ours)
  const { pin } = await agentsIdentity({ ...app, db: tx })
  return { command, expiresAt, pin, problem: reachProblem(app.settings, ours) }
}

const unused = sql`${servers.enrolExpiresAt} > now()`
const withToken = (token: string, more: SQL) =>
  and(eq(servers.enrolTokenHash, sha256(token)), isNull(servers.deletedAt), more)

/** True if the token is valid. Does not consume the token. */
export async function isGoodToken(db: Db, token: string): Promise<boolean> {
  return (await db.select({ id: servers.id }).from(servers).where(withToken(token, unused))).length === 1
}

/**
 * Consumes the token and saves the credential that the agent has generated. When the reply was lost, the agent may
 * repeat the call with the same token and credential. A consumed token has `enrolExpiresAt` null.
 */
export async function enrol(
  app: App,
  { token, credential }: DoorBody<'/agent/enrol'>,
): Promise<{ serverId: number; name: string }> {
  const credentialHash = sha256(credential)
  const again = sql`(${servers.enrolExpiresAt} is null and ${servers.credentialHash} = ${credentialHash}
    and ${servers.credentialRevokedAt} is null)`
  try {
    return await app.db.transaction(async (tx) => {
      const [found] = await tx
        .select()
        .from(servers)
        .where(withToken(token, sql`(${unused} or ${again})`))
        .for('update')
      if (!found) throw new Refusal(403, { code: 'token', message: 'This enrolment was already used or is too old' })
      const { id: serverId, name } = found
      if (found.enrolExpiresAt === null) return { serverId, name }
      await tx
        .update(servers)
        .set({ credentialHash, credentialRevokedAt: null, enrolExpiresAt: null, enrolledAt: sql`now()` })
        .where(eq(servers.id, serverId))
      await provisionAtFirst(tx, found)
      await changed(tx, 'servers', serverId)
      return { serverId, name }
    })
  } catch (error) {
    if (sqlState(error)?.code === '23505') throw conflict('This credential belongs to another server')
    throw error
  }
}

/** The server of a credential. Reads the database at each call, so that a revocation takes effect at once. */
export async function serverOf(db: Db, credential: string): Promise<number | undefined> {
  const [found] = await db
    .select({ id: servers.id })
    .from(servers)
    .where(
      and(
        eq(servers.credentialHash, sha256(credential)),
        isNull(servers.credentialRevokedAt),
        isNull(servers.deletedAt),
      ),
    )
  return found?.id
}
