import type { Resolver } from 'node:dns/promises'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSite } from '../../hosting/websites/site.ts'
import { rows } from '../../kit/db/db.ts'
import { fetchDue } from '../../net/mailboxes/imports/late.ts'
import { selfSigned } from '../../net/ssl/certificates/generate.ts'
import { chainFor } from '../../net/ssl/test/chain.ts'
import { keepIssued, makeCertificate } from '../../net/ssl/workflow/issue.ts'
import { inventory, nothing } from '../../test/hostile/world/archives.ts'
import { openWorld, type World } from '../../test/hostile/world/world.ts'
import { carryOutAll } from '../../test/work.ts'
import { lookedUp } from './cutOver/names.ts'
import { drawAgain } from './drawing/again.ts'
import { draw } from './drawing/draw.ts'
import { drawMail } from './drawing/mail.ts'
import type { Target } from './drawing/target.ts'
import { drawWebsites } from './drawing/websites.ts'
import { endFetches } from './lateMail/handlers.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  world.call(method, `/api${path}`, { token: world.admin, ...(body !== undefined && { body }) })
const serverOf = async (domain: string) =>
  (await rows<{ id: number }>(world.app.db, sql`select server_id as id from mailboxes where domain = ${domain}`))[0]
    ?.id ?? 0
const idOf = async (file: string) =>
  (
    await rows<{ id: number }>(
      world.app.db,
      sql`select archive_import_id as id from archive_imports where file_name = ${file}`,
    )
  )[0]?.id ?? 0

const target: Target = {
  ...{ server: { id: 1, name: 'web-1', address: null, webServer: 'nginx' }, ownerId: 1, plan: undefined },
  ...{ phpVersions: [], mail: true },
}

it('says what becomes of each thing, and whose name is taken', async () => {
  const id = await idOf('/backup/ready.tar')
  const { body } = await call('GET', `/archive-imports/${id}/plan?userId=1&plan=1`)
  expect(body.problems).toEqual({})
  expect(body.username).toBe('alice2')
  expect(body.lines.map(({ key, verdict }: { key: string; verdict: string }) => [key, verdict])).toEqual([
    ['website:arriving.example.org', 'carried'],
    ['database:alice_arriving', 'changed'],
    ['zone:arriving.example.org', 'changed'],
  ])
  await world.app.db.execute(
    sql`update archive_imports set inventory = replace(inventory::text, 'arriving', 'imported')::jsonb where archive_import_id = ${id}`,
  )
  const taken = (await call('GET', `/archive-imports/${id}/plan?userId=2&plan=1`)).body
  expect(taken.lines[0]).toMatchObject({ verdict: 'left out', choice: false })
  expect(taken.lines[0].notes[0]).toContain('is website')
  const leaveOut = ['zone:imported.example.org']
  const refused = await call('POST', `/archive-imports/${id}/start`, { userId: 2, plan: 1, leaveOut })
  expect(refused.status).toBe(422)
  await world.app.db.execute(
    sql`update archive_imports set inventory = replace(inventory::text, 'imported', 'arriving')::jsonb where archive_import_id = ${id}`,
  )
})

it('keeps a website whose name is an alias of another one in the archive', async () => {
  const [first] = inventory.websites
  const sites = [
    { ...first!, domain: 'both.example.org', aliases: ['addon.example.org', 'Only.example.org'] },
    { ...first!, domain: 'Addon.example.org', aliases: ['both.example.org'] },
  ]
  const { made, lines } = await drawWebsites(world.app.db, { ...inventory, websites: sites }, target, new Set())
  expect(made.map(({ domain, aliases }) => [domain, aliases])).toEqual([
    ['both.example.org', ['only.example.org']],
    ['addon.example.org', []],
  ])
  expect(lines[0]?.notes).toContain(
    'The alias addon.example.org is left out: it is a website of its own in the archive',
  )
})

it('names forwards to mailboxes that the archive lacks, and keeps mail that would go nowhere', async () => {
  const one = { hash: 'none' as const, quotaMb: 5, autoReply: null, suspended: false, messages: 0, bytes: 0 }
  const found = {
    ...{ domain: 'lacking.example.org', catchAll: null, dkim: false, suspended: false, refused: {}, fault: null },
    mailboxes: [{ ...one, name: 'info', forwards: ['gone@lacking.example.org'], keepCopy: false }],
    aliases: [{ name: 'sales', targets: ['info@lacking.example.org', 'gone@lacking.example.org'] }],
  }
  const { made, lines } = await drawMail(world.app.db, { ...inventory, mail: [found] }, target, [], new Set())
  expect(lines[0]?.notes).toContain(
    'Forwards to mailboxes that the archive does not have are left out: gone@lacking.example.org',
  )
  expect(made[0]?.mailboxes).toMatchObject([{ localPart: 'info', forwards: [], keepCopy: true }])
  expect(made[0]?.aliases).toEqual([{ localPart: 'sales', targets: ['info@lacking.example.org'] }])
})

it('finds a name for the account of an archive whose own is reserved with any number', async () => {
  const { db } = world.app
  const serverId = (await rows<{ id: number }>(db, sql`select server_id as id from servers where name = 'web-1'`))[0]!
    .id
  const named = async (name: string) => {
    const account = { ...inventory.account, name }
    const websites = inventory.websites.map((one) => ({ ...one, domain: 'reserved.example.org', aliases: [] }))
    return (await draw(db, { importId: 0, serverId, inventory: { ...inventory, account, websites } })).username
  }
  expect(await Promise.all(['www-data', 'systemd-web', 'root', '한국'].map(named))).toEqual([
    ...['u_wwwdata', 'u_systemdweb', 'root2', 'imported'],
  ])
})

it('renews a certificate that a program renewed there, and says that nobody renews another one', async () => {
  const { db } = world.app
  const names = ['secured.example.org', 'www.secured.example.org']
  const days = 60
  const { leaf, middle, root } = await chainFor(names, { days })
  const chain = `${leaf.pem}\n${middle.pem}\n${root.pem}\n`
  const notAfter = new Date(Date.now() + days * 86_400_000).toISOString()
  const drawn = (renews: boolean) => {
    const websites = inventory.websites.map((one) => ({
      ...{ ...one, domain: names[0]!, aliases: [], ssl: true },
      certificate: { chain, names, notAfter, renews },
    }))
    return { ...inventory, account: { ...inventory.account, name: 'secured' }, databases: [], zones: [], websites }
  }
  const start = async (renews: boolean) => {
    const [{ id = 0 } = {}] = await rows<{ id: number }>(
      db,
      sql`insert into archive_imports (server_id, source, file_name, status, inventory, staff_name, created_by)
        values (1, 'path', '/backup/secured.tar', 'ready', ${JSON.stringify(drawn(renews))}::jsonb, 'Secured', 1)
        returning archive_import_id as id`,
    )
    const { body } = await call('GET', `/archive-imports/${id}/plan?userId=1&plan=1`)
    expect(body.problems).toEqual({})
    return { id, note: body.lines.find(({ kind }: { kind: string }) => kind === 'certificate').notes.at(-1) }
  }
  expect((await start(false)).note).toContain('It is not renewed by itself')
  const { id, note } = await start(true)
  expect(note).toContain('Innkeeper renews it in time')
  expect((await call('POST', `/archive-imports/${id}/start`, { userId: 1, plan: 1 })).status).toBe(202)
  expect(
    await rows(
      db,
      sql`select kind, auto_renew as "autoRenew" from certificates where domain = ${names[0]} and deleted_at is null`,
    ),
  ).toEqual([{ kind: 'lets-encrypt', autoRenew: true }])
  await carryOutAll(db, 1, ({ name }) =>
    name === 'archive.unpack' ? { status: 'failed', reason: 'a test ends it' } : {},
  )
  await call('POST', `/archive-imports/${id}/roll-back`)
  await carryOutAll(db, 1)
})

it('brings a website whose name lies in the trash; what lies there then says who has it', async () => {
  const { db } = world.app
  const [trashed] = await rows<{ id: number; domain: string; version: number; server: number }>(
    db,
    sql`select website_id as id, domain, version, server_id as server from websites where kind = 'main' and status = 'deleted'
      and purged_at is null and parent_id is null order by website_id limit 1`,
  )
  const { id, domain, version, server } = trashed!
  const websites = inventory.websites.map((one) => ({ ...one, domain, aliases: [] }))
  const [{ importId = 0 } = {}] = await rows<{ importId: number }>(
    db,
    sql`insert into archive_imports (server_id, source, file_name, status, inventory, staff_name, created_by)
      values (${server}, 'path', '/backup/again.tar', 'ready', ${JSON.stringify({ ...inventory, databases: [], zones: [], websites })}::jsonb, 'Trash', 1)
      returning archive_import_id as "importId"`,
  )
  const begun = await call('POST', `/archive-imports/${importId}/start`, { userId: 1, plan: 1 })
  expect([begun.status, begun.body.message]).toEqual([202, undefined])
  const restored = await call('POST', `/websites/${id}/restore`, { version })
  expect([restored.status, restored.body.fields.domain]).toEqual([409, expect.stringContaining(`${domain} is website`)])
  await carryOutAll(db, server, ({ name }) =>
    name === 'archive.unpack' ? { status: 'failed', reason: 'a test ends it' } : {},
  )
  expect((await call('POST', `/archive-imports/${importId}/roll-back`)).status).toBe(202)
  await carryOutAll(db, server)
  // the import is undone: the former website can come back
  expect((await call('POST', `/websites/${id}/restore`, { version })).status).toBe(202)
})

it('refuses a plan that is too small', async () => {
  const id = await idOf('/backup/ready.tar')
  await world.app.db.execute(sql`update plans set databases = 0 where plan_id = 1`)
  const { body, status } = await call('POST', `/archive-imports/${id}/start`, { userId: 1, plan: 1 })
  await world.app.db.execute(sql`update plans set databases = 5 where plan_id = 1`)
  expect([status, body.fields.plan]).toEqual([422, expect.stringContaining('1 databases, and it allows 0')])
  // small files take a block each, and the limit of the account counts blocks
  const tiny = { domain: 'tiny.example.org', aliases: [], files: 3_000_000_000, bytes: 3_000_000 }
  const websites = inventory.websites.map((one) => ({ ...one, ...tiny, disk: tiny.files * 4096 }))
  const plan = { ownerId: 1, planId: 1, importId: 0, serverId: await serverOf('active.example.org') }
  const drawn = await draw(world.app.db, { ...plan, inventory: { ...inventory, websites } })
  expect(drawn.problems.plan).toContain('11718750 MB of files, and it allows')
})

it('draws a second run of an accepted import: changes come, and a database only when people choose it', async () => {
  const { db } = world.app
  const [first, second] = [await idOf('/backup/verified.tar'), await idOf('/backup/ready.tar')]
  const set = (status: string, names: [string, string]) =>
    db.execute(sql`with a as (update archive_imports set status = ${status} where archive_import_id = ${first} returning 1)
      update archive_imports set inventory = replace(inventory::text, ${names[0]}, ${names[1]})::jsonb where archive_import_id = ${second}`)
  await db.execute(sql`update websites set status = 'active' where domain = 'imported.example.org'`)
  await db.execute(sql`update databases set status = 'active' where name = 'alice_imported'`)
  await set('done', ['arriving', 'imported'])
  const lines = async (query = '') => {
    const { body } = await call('GET', `/archive-imports/${second}/plan?userId=1&plan=1${query}`)
    return body.lines.map(({ key, verdict }: { key: string; verdict: string }) => `${key} ${verdict}`)
  }
  expect(await lines()).toEqual([
    'website:imported.example.org changed',
    'database:alice_imported left out',
    'other:again left out',
  ])
  expect(await lines('&replace=database:alice_imported')).toContain('database:alice_imported changed')
  // an account beyond its limit takes no more files, and the plan says so
  await db.execute(sql`update system_users set disk_used_mb = 999999 where system_user_id =
    (select system_user_id from websites where domain = 'imported.example.org')`)
  const full = await call('GET', `/archive-imports/${second}/plan?userId=1&plan=1`)
  expect(full.body.problems.leaveOut).toMatch(/uses 999999 MB of disk, and the plan .* allows .*: give its websites/)
  await db.execute(sql`update system_users set disk_used_mb = 1 where disk_used_mb = 999999`)
  // of another owner: not a second run, the name is taken
  const other = await call('GET', `/archive-imports/${second}/plan?userId=2&plan=1`)
  expect(other.body.lines[0]).toMatchObject({ verdict: 'left out', choice: false })
  // its website has moved to the server on which the second archive lies
  const [{ from = 0, to = 0 } = {}] = await rows<{ from: number; to: number }>(
    db,
    sql`select i.server_id as from, (select min(server_id) from servers where type = 'web' and server_id <> i.server_id) as to
      from archive_imports i where archive_import_id = ${second}`,
  )
  const move = (at: number) =>
    db.execute(sql`with w as (update websites set server_id = ${at} where domain like '%imported.example.org')
      update archive_imports set server_id = ${at} where archive_import_id = ${second}`)
  await move(to)
  expect(await lines()).toContain('website:imported.example.org changed')
  await move(from)
  const cutOver = (body: object) => call('POST', `/archive-imports/${first}/cut-over`, body)
  const { body } = await cutOver({ watch: true })
  expect(body.data.cutOver).toMatchObject({ watching: true, at: null })
  expect(body.data.cutOver.names.map(({ name }: { name: string }) => name)).toContain('www.imported.example.org')
  expect((await call('POST', `/archive-imports/${second}/cut-over`, { watch: true })).status).toBe(422)
  await cutOver({ watch: false })
  await set('verified', ['imported', 'arriving'])
})

it('brings messages again only into the mail of the same owner', async () => {
  const { db } = world.app
  const [row] = await rows<{ inventory: Inventory }>(
    db,
    sql`select inventory from archive_imports where file_name = '/backup/late.tar'`,
  )
  const serverId = await serverOf('post.example.org')
  const drawn = (ownerId: number) =>
    drawAgain(db, {
      ...{ importId: 0, serverId, inventory: row!.inventory, ownerId, left: new Set(), replace: new Set() },
    })
  await db.execute(
    sql`update mailboxes set website_id = (select min(website_id) from websites where owner_id = 1) where domain = 'post.example.org'`,
  )
  expect((await drawn(1)).again.mail).toMatchObject([{ domain: 'post.example.org' }])
  // the archive was packed on Monday and unpacked on Friday: mail of Wednesday was in no archive
  const packed = async (newest: number | null) => {
    await db.execute(sql`update archive_imports set made = made || '{"at": 1760000000000}', inventory = jsonb_set(inventory, '{mail,0,mailboxes,0}',
      inventory -> 'mail' -> 0 -> 'mailboxes' -> 0 || ${JSON.stringify(newest ? { newest, messages: 1 } : { messages: 1 })}::jsonb) where file_name = '/backup/late.tar'`)
    return (await drawn(1)).again.mail[0]?.users.find(({ localPart }) => localPart === 'kari')?.packed
  }
  expect(await packed(null)).toBe(1_760_000_000_000)
  expect(await packed(1_759_600_000)).toBe(1_759_600_000_000)
  const { again, rest } = await drawn(2)
  expect([again.mail, rest.mail.map(({ domain }) => domain)]).toEqual([[], ['post.example.org']])
  await db.execute(sql`update mailboxes set website_id = null where domain = 'post.example.org'`)
})

it('says of each name whether it leads here', async () => {
  const none = Object.assign(new Error('none'), { code: 'ENODATA' })
  const answers: Record<string, string[]> = { 'here.example': ['192.0.2.1'], 'old.example': ['192.0.2.9'] }
  const resolver = {
    resolve4: async (name: string) => {
      if (name === 'silent.example') throw Object.assign(new Error('late'), { code: 'ETIMEOUT' })
      return answers[name] ?? Promise.reject(none)
    },
    resolve6: async () => Promise.reject(none),
    resolveMx: async () => [{ priority: 10, exchange: 'Mail.here.example' }],
  } as unknown as Resolver // what the look asks of one
  const line = (name: string, wanted = 'A 192.0.2.1') => ({
    ...{ name, what: 'website' as const, wanted: [wanted], now: [], zone: null, state: 'unknown' as const },
  })
  const names = ['here.example', 'old.example', 'gone.example', 'silent.example'].map((name) => line(name))
  const found = await lookedUp(resolver, [...names, line('here.example', 'MX 10 mail.here.example.')])
  expect(found.map(({ state }) => state)).toEqual(['here', 'elsewhere', 'missing', 'unknown', 'here'])
})

it('fetches late mail of an accepted import until a date, and forgets the passwords', async () => {
  const { app } = world
  const id = await idOf('/backup/late.tar')
  const path = `/archive-imports/${id}/late-mail`
  const until = new Date(Date.now() + 86_400_000).toISOString()
  const source = { host: 'imap.old.example', until }
  const refusal = async (more: object) => Object.keys((await call('POST', path, { ...source, ...more })).body.fields)
  expect(await refusal({})).toEqual(['password'])
  expect(await refusal({ password: 'a', passwords: 'kari@post.example.org;a' })).toEqual(['password'])
  expect(await refusal({ password: 'a', until: new Date(Date.now() - 1000).toISOString() })).toEqual(['until'])
  expect(await refusal({ passwords: 'kari@post.example.org;a\nnobody@post.example.org;b' })).toEqual(['passwords'])
  expect(await refusal({ password: 'a', mailboxIds: [1_000_000] })).toEqual(['mailboxIds'])
  expect(
    (await call('POST', `/archive-imports/${await idOf('/backup/ready.tar')}/late-mail`, { ...source, password: 'a' }))
      .status,
  ).toBe(422)
  const { body } = await call('POST', path, { ...source, passwords: 'kari@post.example.org;se;cr,et' })
  expect(body.lateMail).toMatchObject({
    host: 'imap.old.example',
    boxes: [{ address: 'kari@post.example.org', login: 'kari@post.example.org', added: 0, endedAt: null }],
  })
  const key = `mail-fetch/${body.lateMail.boxes[0].userId}`
  expect(await app.secrets.read(app.db, key)).toBe('se;cr,et')
  // two rounds: one fetch, whose messages are counted
  const mail = await serverOf('post.example.org')
  const round = async (answer: object) => {
    // columns round to milliseconds, so that now() may be stored as a moment of the future
    await app.db.execute(sql`update mail_fetches set next_at = now() - interval '1 second'`)
    expect([await fetchDue(app), await fetchDue(app)]).toEqual([1, 0])
    const sent: unknown[] = []
    await carryOutAll(app.db, mail, ({ name, input }) => {
      if (name !== 'mail-import.run') return {}
      sent.push(input)
      return answer
    })
    return { sent, box: (await call('GET', `/archive-imports/${id}`)).body.lateMail.boxes[0] }
  }
  const first = await round({ output: { added: 3 } })
  // two days before the newest message in the archive, not before the unpacking five days later
  expect(first.sent).toMatchObject([
    { host: 'imap.old.example', login: 'kari@post.example.org', since: 1_759_600_000 - 2 * 86_400 },
  ])
  expect(first.box).toMatchObject({ added: 3, problem: null, fetchedAt: expect.any(String) })
  const failed = await round({ status: 'failed', reason: 'refuses this login' })
  expect(failed.box).toMatchObject({ added: 3, problem: expect.stringContaining('refuses this login'), endedAt: null })
  // a failed fetch keeps no lock: the next one follows, and the one at the end of the time is the last
  await app.db.execute(sql`update mail_fetches set until = now() - interval '1 second'`)
  expect((await round({ output: { added: 1 } })).box).toMatchObject({
    added: 4,
    problem: null,
    endedAt: expect.any(String),
  })
  expect(await rows(app.db, sql`select from secrets where name = ${key}`)).toEqual([])
  await call('POST', path, { ...source, password: 'of a master', login: '%u*master' })
  const stopped = await call('DELETE', path)
  await call('POST', path, { ...source, password: 'of a master', login: '%u*master' })
  const { id: mailboxId } = body.made.mailboxes[0]
  const made = { ...nothing, mailboxes: [{ id: mailboxId, domain: '', from: '', users: [] }] }
  expect(await endFetches(app.db, made)).toBe(1)
  expect(stopped.body.lateMail.boxes).toMatchObject([
    { login: 'kari@post.example.org*master', endedAt: expect.any(String) },
  ])
  expect(await rows(app.db, sql`select from secrets where name = ${key}`)).toEqual([])
})

it('waits for people when everything is here, and undoes the whole', async () => {
  const id = await idOf('/backup/verified.tar')
  const { body } = await call('GET', `/archive-imports/${id}`)
  const [workflow] = await rows<{ status: string; paused: boolean }>(
    world.app.db,
    sql`select status, paused from workflows where workflow_id = ${body.workflowId}`,
  )
  expect(workflow).toEqual({ status: 'waiting', paused: true })
  expect(body.made.websites).toEqual([{ id: expect.any(Number), domain: 'imported.example.org' }])
  // a certificate that came along
  const { app } = world
  const site = await readSite(app.db, body.made.websites[0].id)
  const facts = {
    kind: 'custom' as const,
    extraNames: [site.domain],
    email: null,
    autoRenew: false,
    vhostAliases: true,
  }
  const certificate = await makeCertificate(app.db, site, facts, null)
  const { pem: chain, key: own } = await selfSigned([site.domain])
  const { key } = await keepIssued(app, app.db, certificate, { chain, key: own })
  await app.db.execute(sql`update certificate_orders set workflow_id = ${body.workflowId} where secret = ${key}`)
  expect((await call('POST', `/archive-imports/${id}/roll-back`)).status).toBe(202)
  const [actions] = await rows<{ undo: number }>(
    world.app.db,
    sql`select count(*)::int as undo from actions where workflow_id = ${body.workflowId} and status in ('pending', 'ready')`,
  )
  expect(actions?.undo).toBeGreaterThan(5)
  await carryOutAll(app.db, body.serverId)
  expect((await call('GET', `/archive-imports/${id}`)).body.status).toBe('rolled-back')
  expect(
    await rows(app.db, sql`select from certificates where website_id = ${site.id} and deleted_at is null`),
  ).toEqual([])
  expect(await app.secrets.read(app.db, key)).toBeUndefined()
})
