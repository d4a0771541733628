import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { diskMeasured } from '@innkeeper/contract/machines/servers/shapes'
import { eq, inArray } from 'drizzle-orm'
import { sized } from '../../../kit/app/sized.ts'
import type { Db } from '../../../kit/db/db.ts'
import { serverStates } from '../../../machines/servers/tables.ts'
import { plans } from '../../plans/tables.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { folderOf } from '../family.ts'
import type { Checked, Looked } from './inspection.ts'

/**
 * Accounts that have more than their plan allows, each with what moves of it: a staging copy has an account of its own. Where
 * the target enforces the limit, the copy would stop when it is reached. A move back brings files that were there before.
 */
export async function planFindings(
  db: Db,
  { sites, target }: Checked,
  { source }: Looked,
  returning: boolean,
): Promise<Finding[]> {
  if (typeof source === 'string') return []
  const accounts = await db
    .select({ id: systemUsers.id, username: systemUsers.username, mb: plans.diskMb })
    .from(systemUsers)
    .innerJoin(plans, eq(plans.id, systemUsers.planId))
    .where(inArray(systemUsers.id, [...new Set(sites.map(({ systemUser }) => systemUser.id))]))
  const isHeld = !returning && (await enforces(db, target.id))
  const findings: Finding[] = []
  for (const { id, username, mb } of accounts) {
    const paths = new Set(sites.filter(({ systemUser }) => systemUser.id === id).map(folderOf))
    const bytes = source.folders.filter(({ path }) => paths.has(path)).reduce((sum, one) => sum + (one.bytes ?? 0), 0)
    if (bytes <= mb * 1024 ** 2) continue
    const held = `, and ${target.name} holds accounts to it: the copy would stop there. Give it a larger plan first`
    const text = `${username} has ${sized(bytes)}, its plan ${mb} MB${isHeld ? held : ''}`
    findings.push({ key: 'plan', title: 'Plan', level: isHeld ? 'blocker' : 'warning', text })
  }
  return findings
}

/** Whether disk limits of accounts are enforced on a server, by its last report. */
async function enforces(db: Db, serverId: number): Promise<boolean> {
  const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, serverId))
  return state !== undefined && !state.notEnforced.some((line) => line.startsWith(diskMeasured))
}
