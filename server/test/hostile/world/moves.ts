import { eq, sql } from 'drizzle-orm'
import { migrations } from '../../../hosting/moves/tables.ts'
import { servers } from '../../../machines/servers/tables.ts'
import type { TestApp } from '../../app.ts'
import { enrolled } from '../../work.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** Another server that websites can move to, a website that is moving there, and one in its observation period. */
export async function makeMoves(
  { app: { db } }: TestApp,
  call: Call,
  source: number,
  moving: { id: number },
  soaking: { id: number; domain: string },
): Promise<void> {
  const target = await enrolled(db, 'web-3', { provisionedAt: new Date().toISOString(), address: '10.77.1.13' })
  await db.update(servers).set({ address: '10.77.1.11' }).where(eq(servers.id, source))
  const php = [{ name: 'php-fpm', version: '8.2', state: 'active', detail: 'PHP 8.2' }]
  await db.execute(
    sql`update server_states set services = ${JSON.stringify(php)}::jsonb where server_id in (${source}, ${target})`,
  )
  await call('POST', `/websites/${moving.id}/migrate`, { targetServerId: target })
  await db.insert(migrations).values({
    type: 'website',
    status: 'soaking',
    domain: soaking.domain,
    sourceWebsiteId: soaking.id,
    targetWebsiteId: soaking.id,
    sourceServerId: target,
    targetServerId: source,
    soakHours: 24,
    soakUntil: '2999-01-01T00:00:00Z',
    startedBy: 'keeper',
  })
}
