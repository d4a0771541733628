import { sql } from 'drizzle-orm'
import type { TestApp } from '../../app.ts'
import { enrolled } from '../../work.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** A name server, zones in the states that calls distinguish, a department to assign them to, and a template. */
export async function makeZones({ app }: TestApp, call: Call): Promise<void> {
  const server = await enrolled(app.db, 'ns-1', { type: 'dns', address: '10.77.1.21' })
  // no agent runs here, so live reads fail at once
  await app.db.execute(
    sql`update server_states set last_seen_at = now() - interval '1 hour' where server_id = ${server}`,
  )
  const { id: department } = await call('POST', '/auth/departments', { name: 'Names' })
  await call('POST', '/auth/departments', { name: 'Not yet' })
  await call('POST', '/dns/departments', { ids: [department] })
  const record = { name: 'www', type: 'A', ttl: 300, priority: null, content: '192.0.2.1' }
  await call('POST', '/dns/templates', { name: 'Usual', records: [record] })
  const off = await call('POST', '/dns/zones', { domain: 'off.example.org', active: false })
  const changed = await call('POST', '/dns/zones', { domain: 'changed.example.org', departmentIds: [department] })
  for (const { id } of [off, changed]) await call('PATCH', '/dns/records', { zoneId: id, create: [record] })
  await call('POST', '/dns/zones', { domain: 'hidden.example.org', adminOnly: true })
  const signed = await call('POST', '/dns/zones', { domain: 'signed.example.org', active: false })
  await call('PATCH', `/dns/zones/${signed.id}`, { dnssec: true })
}
