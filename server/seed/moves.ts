import { eq } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

type Website = typeof tables.websites.$inferSelect
type Move = typeof tables.migrations.$inferInsert
const MOVES = 90
const GROUPS = 6
const HOUR = 3_600_000
const outcomes = [...Array<'done'>(14).fill('done'), ...Array<'soaking'>(3).fill('soaking'), 'rolled-back'] as const

/**
 * Adds moves of the last months; most are done, some are in the observation period. Their target is the current server
 * of the website.
 */
export async function seedMoves(
  db: Db,
  d: Dice,
  now: number,
  {
    staff,
    servers,
  }: { staff: { id: number; firstName: string; lastName: string }[]; servers: { id: number; type: string }[] },
): Promise<number> {
  const websites = await db.select().from(tables.websites).orderBy(tables.websites.id)
  const webs = servers.filter(({ type }) => type === 'web' || type === 'all-in-one')
  if (webs.length < 2) return 0
  const moved = new Set<number>()
  const movable = websites.filter(({ status, kind }) => status === 'active' && kind === 'main')
  const row = (site: Website, at: number, more: Partial<Move> = {}): Move => {
    const { id, firstName, lastName } = d.pick(staff)
    const status = at > now - 24 * HOUR ? 'soaking' : d.pick(outcomes.filter((one) => one !== 'soaking'))
    const from = d.pick(webs.filter((server) => server.id !== site.serverId))
    const way = status === 'rolled-back' ? [site.serverId, from.id] : [from.id, site.serverId]
    const files = 200 + d.below(40_000)
    const bytes = files * (2_000 + d.below(40_000))
    return {
      type: 'website',
      status,
      domain: site.domain,
      sourceWebsiteId: site.id,
      targetWebsiteId: site.id,
      sourceGroupId: site.groupId,
      sourceServerId: way[0] ?? from.id,
      targetServerId: way[1] ?? site.serverId,
      soakHours: 24,
      soakUntil: status === 'soaking' ? new Date(at + 24 * HOUR).toISOString() : null,
      freezeMs: status === 'rolled-back' ? null : 380 + d.below(1800),
      report:
        status === 'rolled-back'
          ? []
          : [
              {
                type: 'files',
                name: site.documentRoot,
                result: 'same',
                detail: `${files} files, ${Math.round(bytes / 1e6)} MB, all checksums equal`,
              },
              {
                type: 'http',
                name: site.domain,
                result: 'done',
                detail: `the new server answers 200 in ${8 + d.below(90)} ms`,
              },
            ],
      startedBy: `${firstName} ${lastName}`,
      startedById: id,
      createdAt: new Date(at).toISOString(),
      updatedAt: new Date(at + 90_000).toISOString(),
      endedAt: status === 'soaking' ? null : new Date(at + 25 * HOUR).toISOString(),
      ...more,
    }
  }
  for (let n = 0; n < MOVES && n < movable.length; n++) {
    const site = d.pick(movable)
    if (moved.has(site.id)) continue
    moved.add(site.id)
    await db.insert(tables.migrations).values(row(site, now - d.below(90 * 24) * HOUR))
  }
  const groups = [...Map.groupBy(movable, ({ groupId }) => groupId)].filter(([id, of]) => id !== null && of.length > 1)
  for (const [, members] of groups.slice(0, GROUPS)) {
    const at = now - (30 + d.below(60 * 24)) * HOUR
    const first = members[0]
    if (!first) continue
    const common = row(first, at)
    const ways = { sourceServerId: common.sourceServerId, targetServerId: common.targetServerId }
    const over = { status: 'done' as const, soakUntil: null, endedAt: new Date(at + 26 * HOUR).toISOString() }
    const [group] = await db
      .insert(tables.migrations)
      .values({ ...common, ...over, type: 'group', report: [], freezeMs: null })
      .returning()
    for (const [i, site] of members.entries())
      await db
        .insert(tables.migrations)
        .values({ ...row(site, at + i * 60_000), ...ways, ...over, parentId: group?.id, position: i + 1 })
  }
  const made = await db.select({ id: tables.migrations.id }).from(tables.migrations)
  await db.update(tables.migrations).set({ version: 3 }).where(eq(tables.migrations.status, 'done'))
  return made.length
}
