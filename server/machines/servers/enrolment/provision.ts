import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { describe, onEnd, start } from '../../../kit/work/workflow.ts'
import { planOf, type Server, wantedOf } from '../services.ts'
import { servers, serverTypes } from '../tables.ts'

interface By {
  id: number | null
  name: string
}

/**
 * Starts provisioning in the caller's transaction. 409 while another workflow locks the server, 422 if its type has no
 * driver yet.
 */
export async function provision(tx: Db, server: Server, by: By): Promise<number> {
  const plan = planOf(server, await wanted(tx, server))
  if (!plan.length) throw refused(`Servers of type ${server.type} cannot be provisioned yet`)
  return begin(tx, 'server.provision', server, plan, by)
}

/** Repairs a service of the server type: installs, configures and starts the service, then checks that it answers. */
export async function repair(tx: Db, server: Server, service: string, by: By): Promise<number> {
  if (!(await wanted(tx, server)).includes(service))
    throw refused(`Servers of type ${server.type} have no ${service}`, { service: 'Not part of this type' })
  const plan = planOf(server, [service])
  if (!plan.length) throw refused(`${service} cannot be repaired from here yet`, { service: 'Has no driver yet' })
  return begin(tx, 'server.repair', server, plan, by)
}

/** Provisions a server automatically when it enrols for the first time. */
export async function provisionAtFirst(tx: Db, server: Server): Promise<void> {
  if (server.enrolledAt || server.provisionedAt || !planOf(server, await wanted(tx, server)).length) return
  await provision(tx, server, { id: null, name: 'Innkeeper' })
}

async function wanted(tx: Db, { type, webServer }: Server): Promise<string[]> {
  const [found] = await tx.select().from(serverTypes).where(eq(serverTypes.name, type))
  return wantedOf(found?.services ?? [], webServer)
}

const begin = (tx: Db, kind: string, { id, name }: Server, plan: PlanStep[], by: By): Promise<number> =>
  start(tx, {
    kind,
    subject: { type: 'server', id, name },
    holder: by.name,
    startedById: by.id,
    plan,
    locks: [`server:${id}`],
  })

/** SQL: whether the set-up of a name server has yet to give it PowerDNS: publications wait for it. */
export const lacksPowerdns = (serverId: SQL): SQL =>
  sql`exists (select from actions setting join workflows up on up.workflow_id = setting.workflow_id
    where setting.resource_type = 'powerdns' and setting.resource_id = ${serverId} and setting.name = 'powerdns.ensure'
      and setting.status not in ('done', 'skipped', 'undone') and up.kind = 'server.provision' and up.ended_at is null)`
/** Operations that need PowerDNS. */
export const needsPowerdns = sql.raw(`('dns-zone.ensure', 'dns-zone.fetch', 'dns-zone.remove')`)

/** Declares the workflows of this file, for domain.ts. */
export function provisionWorkflows(): void {
  describe('server.provision', { title: 'Provision server', doing: 'being provisioned' })
  onEnd('server.provision', async (tx, { subjectId }, outcome) => {
    if (outcome === 'done' || outcome === 'rolled-back')
      await tx
        .update(servers)
        .set({ provisionedAt: outcome === 'done' ? sql`now()` : null })
        .where(eq(servers.id, subjectId))
    await changed(tx, 'servers', subjectId)
  })

  describe('server.repair', { title: 'Repair service', doing: 'being repaired' })
  onEnd('server.repair', (tx, { subjectId }) => changed(tx, 'servers', subjectId))
}
