import { eq } from 'drizzle-orm'
import type { Db } from '../kit/db.ts'
import { notFound } from '../kit/errors.ts'
import { plans } from '../plans/tables.ts'
import { servers } from '../servers/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { aliasesOf, type Site } from './steps.ts'
import { websites } from './tables.ts'

/** A website with what its actions need. */
export async function readSite(db: Db, id: number): Promise<Site> {
  const [row] = await db
    .select({ website: websites, server: servers, systemUser: systemUsers, plan: plans })
    .from(websites)
    .innerJoin(servers, eq(servers.id, websites.serverId))
    .innerJoin(systemUsers, eq(systemUsers.id, websites.systemUserId))
    .innerJoin(plans, eq(plans.id, websites.planId))
    .where(eq(websites.id, id))
  if (!row) throw notFound('website', id)
  const { website, server, systemUser, plan } = row
  return {
    id,
    domain: website.domain,
    aliases: aliasesOf(website.domain),
    documentRoot: website.documentRoot,
    phpVersion: website.phpVersion,
    server: { id: server.id, name: server.name },
    systemUser: { id: systemUser.id, username: systemUser.username },
    plan: { memoryMb: plan.memoryMb, cpuPercent: plan.cpuPercent, tasks: plan.tasks },
  }
}
