import { sql } from 'drizzle-orm'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import { insertLatest } from '../kit/work/workflow.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

type Website = typeof tables.websites.$inferSelect
interface Cast {
  staff: (typeof tables.users.$inferSelect)[]
  servers: (typeof tables.servers.$inferSelect)[]
  systemUsers: (typeof tables.systemUsers.$inferSelect)[]
}

const steps = [
  { name: 'system-user.ensure', title: 'System user', type: 'system-user', seconds: 2 },
  { name: 'document-root.ensure', title: 'Document root', type: 'document-root', seconds: 1 },
  { name: 'php-pool.ensure', title: 'PHP pool', type: 'php-pool', seconds: 3 },
  { name: 'nginx-site.ensure', title: 'nginx site', type: 'nginx-site', seconds: 2 },
  { name: 'website.probe', title: 'Probe', type: 'website', seconds: 1 },
] as const

/**
 * Adds the creation workflow of each website with its five actions. Failed ones stopped at nginx and keep their lock.
 */
export async function history(
  db: Db,
  d: Dice,
  websites: Website[],
  { staff, servers, systemUsers }: Cast,
): Promise<void> {
  const serverNames = new Map(servers.map((server) => [server.id, server.name]))
  const usernames = new Map(systemUsers.map((account) => [account.id, account.username]))
  for (const batch of chunks(websites, 300)) {
    const workflows = await db
      .insert(tables.workflows)
      .values(
        batch.map((site) => {
          const by = d.pick(staff)
          const failed = site.status === 'failed'
          return {
            kind: 'website.create',
            subjectType: 'website',
            subjectId: site.id,
            subjectName: site.domain,
            status: failed ? ('failed' as const) : ('done' as const),
            holder: `${by.firstName} ${by.lastName}`,
            startedById: by.id,
            startedAt: site.createdAt,
            endedAt: failed ? null : new Date(Date.parse(site.createdAt) + 9000).toISOString(),
          }
        }),
      )
      .returning()
    await db.insert(tables.actions).values(
      batch.flatMap((site, n) => {
        let clock = Date.parse(site.createdAt)
        return steps.map((step, position) => {
          const failed = site.status === 'failed'
          const status =
            !failed || position < 3 ? ('done' as const) : position === 3 ? ('failed' as const) : ('pending' as const)
          const startedAt = clock
          clock += step.seconds * 1000
          const tried = status !== 'pending'
          const username = usernames.get(site.systemUserId)!
          const shared = step.type === 'system-user' || step.type === 'php-pool'
          return {
            workflowId: workflows[n]!.id,
            position,
            name: step.name,
            title: step.title,
            what: whatOf(step.type, site, username),
            resourceType: step.type,
            resourceId: shared ? site.systemUserId : site.id,
            resourceName: shared ? username : site.domain,
            input: {},
            lane: 'short' as const,
            serverId: step.type === 'website' ? null : site.serverId,
            status,
            attempt: tried ? 1 : 0,
            reason:
              status === 'failed'
                ? `${serverNames.get(site.serverId)} did not load the new file: the probe still saw the old generation`
                : null,
            readyAt: tried ? new Date(startedAt).toISOString() : null,
            startedAt: tried ? new Date(startedAt).toISOString() : null,
            endedAt: tried ? new Date(clock).toISOString() : null,
          }
        })
      }),
    )
    const failed = batch.flatMap((site, n) =>
      site.status === 'failed'
        ? [{ resource: `website:${site.id}`, workflowId: workflows[n]!.id, holder: workflows[n]!.holder }]
        : [],
    )
    if (failed.length) await db.insert(tables.resourceLocks).values(failed)
  }
  await db.execute(
    insertLatest(sql`(select a.*, w.subject_id as website_id from actions a join workflows w using (workflow_id)
      where w.subject_type = 'website') as of_websites`),
  )
  await db.execute(sql`update websites w set workflow_id = f.workflow_id from workflows f
    where f.subject_type = 'website' and f.subject_id = w.website_id`)
}

function whatOf(type: (typeof steps)[number]['type'], site: Website, username: string): string {
  switch (type) {
    case 'system-user':
      return `Linux account ${username}`
    case 'document-root':
      return site.documentRoot
    case 'php-pool':
      return `PHP ${site.phpVersion}, own socket`
    case 'nginx-site':
      return `${site.domain}, www.${site.domain} on port 80`
    case 'website':
      return `GET http://${site.domain}/ answers`
  }
}
