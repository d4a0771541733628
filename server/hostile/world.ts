import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { claim, finish } from '../kit/claim.ts'
import { rows } from '../kit/db.ts'
import { openTestApp, type TestApp } from '../kit/test.ts'
import { enrolled } from '../kit/testWork.ts'
import { owners } from '../owners/tables.ts'

export interface World extends TestApp {
  admin: string
  /** Text and numbers that mean something here, and some that are free: what a caller who knows the place would send. */
  words: unknown[]
}

/** A small provider with a row in every state that calls tell apart. All ids are small, so that a guess finds one. */
export async function openWorld(log?: Logger): Promise<World> {
  const t = await openTestApp(log)
  const { db } = t.app
  const { token: admin } = await t.somebody('admin', 'keeper')
  await db.insert(owners).values([
    { name: 'Kari', email: 'kari@example.org' },
    { name: 'Lars', email: 'lars@example.org' },
  ])
  const web = await enrolled(db, 'web-1', { provisionedAt: new Date().toISOString() })
  await enrolled(db, 'web-2')
  const call = async (method: 'POST' | 'PATCH', path: string, body: unknown) => {
    const answer = await t.call(method, `/api${path}`, { token: admin, body })
    if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await call('POST', '/cloud-management/servers', { name: 'empty-1', type: 'dns' })
  /** Carries out what is ready, and fails the `stop`th of it. */
  const work = async (stop?: number) => {
    for (let n = 1; ; n++) {
      const own = (await claim(db, null, 'short', 1)).map((op) => ({ op, server: null }))
      const [next] = own.length ? own : (await claim(db, web, 'short', 1)).map((op) => ({ op, server: web }))
      if (!next) return
      const { id, attempt } = next.op
      const ended =
        n === stop ? ({ status: 'failed', reason: 'the disk is full' } as const) : { status: 'done' as const }
      await finish(db, next.server, [{ id, attempt, ...ended }])
    }
  }
  const website = (domain: string) =>
    call('POST', '/websites', { originServer: web, domain, userId: 1, plan: 1 }) as Promise<{ data: { id: number } }>
  await website('active.example.org')
  await work()
  const { data } = await website('suspended.example.org')
  await work()
  await call('PATCH', `/websites/${data.id}`, { status: 'suspended' })
  await work()
  await website('failed.example.org')
  await work(2)
  await website('waiting.example.org')
  return { ...t, admin, words: [...free, ...(await known(t))] }
}

const free = [
  ...['fresh-1', 'fresh_user', 'fresh.example.org', 'fresh@example.org', '10.77.9.9', '2001:db8::9', 'Fresh air'],
  ...[
    '8.2',
    'true',
    'false',
    '1',
    '2,3',
    '2026-11-21',
    '2026-11-21T10:00:00Z',
    '10:30',
    '#aabbcc',
    'https://example.org/',
  ],
  ...['keeper', 'password of keeper'],
]

/** The short texts of every table, whatever tables there are. */
async function known({ app: { db } }: TestApp): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const found = new Set<string>()
  const gather = (value: unknown) => {
    if (typeof value === 'string') found.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(gather)
  }
  for (const { name } of tables) gather(await rows(db, sql`select * from ${sql.identifier(name)} limit 60`))
  return [...found].filter((text) => text.length > 0 && text.length <= 40)
}
