import { sql } from 'drizzle-orm'
import { originVhosts } from '../../../hosting/websites/tables.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { vhostEdges, vhosts } from '../../../net/vhosts/edges/tables.ts'
import { KIND } from '../../../net/vhosts/origins/begin.ts'
import type { TestApp } from '../../app.ts'
import { enrolled } from '../../work.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ workflowId: number }>

/**
 * Edges of both networks; websites behind the first edge, one of them behind both and one in pass-through mode; a
 * website with its own PHP, and a website without any of these.
 */
export async function makeVhosts({ app: { db } }: TestApp, call: Call, websites: readonly number[]): Promise<void> {
  const provisionedAt = new Date().toISOString()
  const cdn = await enrolled(db, 'cdn-1', { type: 'cdn', address: '10.77.1.31', provisionedAt })
  const xdn = await enrolled(db, 'xdn-1', { type: 'xdn', address: '10.77.1.32', provisionedAt })
  // no agent runs here, so live reads fail at once
  await db.execute(
    sql`update server_states set last_seen_at = now() - interval '1 hour' where server_id in (${cdn}, ${xdn})`,
  )
  for (const [n, websiteId] of websites.entries()) {
    const [made] = await db
      .insert(vhosts)
      .values({ websiteId, status: 'active', cdn: n !== 1 })
      .returning()
    if (!made) throw new Error('a vhost was not saved')
    const networks = n === 2 ? (['cdn', 'xdn'] as const) : (['cdn'] as const)
    for (const network of networks)
      await db
        .insert(vhostEdges)
        .values({ vhostId: made.id, network, serverId: network === 'cdn' ? cdn : xdn, state: 'live' })
  }
  await db.insert(originVhosts).values({ websiteId: OWN, phpParameters: { memory_limit: 64 } })
  await call('POST', '/origin-vhost/php/modules', { name: 'php8.1' })
}

/** Id of the first website, which has its own PHP. */
const OWN = 1
/** A finished change of that website. Called first, so that the id of the workflow is small. */
export async function makeChange({ app: { db } }: TestApp): Promise<void> {
  const about = { subjectType: 'website', subjectId: OWN, subjectName: 'active.example.org' }
  const ended = { status: 'done' as const, endedAt: new Date().toISOString() }
  await db.insert(workflows).values({ kind: KIND, holder: 'keeper', ...about, ...ended })
}
