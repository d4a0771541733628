import { createServer, type Server } from 'node:http'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownWork } from '../../kit/work/action.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerReads, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from './tables.ts'

const address = '127.0.0.87'
const domain = 'network.example'
let t: TestApp
let web: Server
let server: number
/** Addresses that answer an error. */
const broken = new Set<string>()
const asked: string[] = []
beforeAll(async () => {
  t = await openTestApp()
  web = createServer(({ headers, url }, answer) => {
    const where = `${headers.host}${url}`
    asked.push(where)
    // an error that no patience helps, so that nobody waits for a slow server
    answer.writeHead(broken.has(where) ? 404 : 200).end()
  })
  await new Promise<void>((ready) => web.listen(80, address, ready))
  server = await enrolled(t.app.db, 'web-network', { address })
  await t.app.db.execute(sql`update server_states set operations = operations || array['website-network.find'],
    last_seen_at = '2999-01-01'`)
  const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@network.example' }).returning()
  const [account] = await t.app.db
    .insert(systemUsers)
    .values({
      ...{ username: 'kari', serverId: server, ownerId: owner!.id, planId: 2 },
      ...{ homeDir: '/home/kari', shell: '/bin/sh' },
    })
    .returning()
  await t.app.db.insert(websites).values({
    ...{ domain, status: 'active', systemUserId: account!.id, serverId: server, ownerId: owner!.id, planId: 2 },
    ...{ documentRoot: `/home/kari/${domain}/public`, phpVersion: '8.2' },
  })
})
afterAll(async () => {
  web.close()
  await t.close()
})

const named = (...sites: [string, string][]) => ({ sites: sites.map(([host, path]) => ({ host, path })) })
const agent: { answer: unknown } = { answer: named([domain, '/'], [domain, '/shop/'], [domain, '/gone/']) }
const work = { task: 'run', fence: () => {}, signal: new AbortController().signal } as const
const run = (name: string, input: object) =>
  answerReads(
    t.app.db,
    server,
    () => agent.answer,
    Promise.resolve(ownWork(name)!.run({ serverId: server, domain, ...input }, { ...work, app: t.app, say: () => {} })),
  )
const kindOf = (found: 'wordpress-folders' | 'drupal') =>
  t.app.db.update(websites).set({ foundApplication: found }).where(eq(websites.domain, domain))

it('asks each website of a network that answered before a change, and fails when one no longer does', async () => {
  await kindOf('wordpress-folders')
  broken.add(`${domain}/gone/`)
  const before = await run('website.probe-before', {})
  expect(before).toEqual({ served: true, sites: [{ host: domain, path: '/shop/' }] })
  const after = () => run('website.probe', { expect: 'served', others: [], ...(before as object) })
  await expect(after()).resolves.toMatchObject({ status: 200 })
  broken.add(`${domain}/shop/`)
  await expect(after()).rejects.toThrow(`http://${domain}/shop/ was expected to be served and answers 404`)
})

it('asks under names of the website only, and a website that is no network once', async () => {
  agent.answer = {
    sites: [
      { host: 'elsewhere.example', path: '/' },
      { host: domain, path: '/a b' },
      { host: `www.${domain}`, path: '/blog/' },
      ...[{ host: null }, 'no site'],
    ],
  }
  expect(await run('website.probe-before', {})).toEqual({
    served: true,
    sites: [{ host: `www.${domain}`, path: '/blog/' }],
  })
  await kindOf('drupal')
  asked.length = 0
  expect(await run('website.probe-before', {})).toEqual({ served: true, sites: [] })
  expect(asked).toEqual([`${domain}/`])
})
