import { hashForms, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { runs, saySeed, seed } from '../../test/hostile/seed.ts'
import { openWorld, type World } from '../../test/hostile/world/world.ts'
import { carryOutAll } from '../../test/work.ts'

let world: World
beforeAll(async () => {
  saySeed('hostileArchives')
  world = await openWorld()
})
afterAll(() => world.close())

/** Names in foreign archives: names that others have here, names of panels, of no alphabet, and names cut in the middle of a character. */
const nasty = fc.oneof(
  fc.constantFrom(
    ...[
      'active.example.org',
      'www.active.example.org',
      '*.example.org',
      'Sub.Example.Org',
      'blåbær.example',
      '例え.テスト',
    ],
    ...[
      'xn--blbr-roah.example',
      'a.b',
      'localhost',
      '192.0.2.7',
      '2001:db8::1',
      '',
      ' ',
      '.',
      '..',
      '../../etc/passwd',
    ],
    ...[
      '%quote%',
      "it's",
      '"q"',
      '$(reboot)',
      '`id`',
      'a;b',
      'a\nb',
      'a\tb',
      '\u202egpj.exe',
      '<script>',
      'null',
      '-rf',
    ],
    ...[
      'www-data',
      'root',
      'systemd-x',
      'alice',
      'postmaster',
      '*',
      'info@active.example.org',
      '|/bin/sh',
      ':fail: no',
      '/etc',
    ],
    ...[
      `${'x'.repeat(199)}😀`,
      `${'x'.repeat(99)}😀y`,
      'ÿ'.repeat(300),
      'a'.repeat(70).concat('.example'),
      '😀'.repeat(150),
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 1, max: 6 }).map((n) => `site${n}.example.net`),
)
const count = fc.oneof(fc.nat(5), fc.constantFrom(0, 2 ** 40))
const few = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 3 })
const nullable = <T>(of: fc.Arbitrary<T>) => fc.oneof(fc.constant(null), of)
const tally = fc.constantFrom<Record<string, number>>({}, { 'name is not UTF-8': 3 }, { 'device or pipe': 1 })
const files = { files: count, bytes: count, links: fc.nat(3), refused: tally, fault: nullable(nasty) }
const hash = fc.constantFrom(...hashForms)
const website = fc.record({
  ...{ domain: nasty, aliases: few(nasty), phpVersion: nullable(fc.constantFrom('8.2', '5.6', '99.1', '8', 'x')) },
  ...{
    root: nasty,
    rootProblem: fc.constantFrom(null, null, null, 'odd'),
    ssl: fc.boolean(),
    redirect: nullable(nasty),
  },
  certificate: fc.constantFrom(null, { chain: 'no certificate', notAfter: '2026-01-01T00:00:00.000Z', names: ['a'] }),
  ...{ protectedBy: few(nasty), suspended: fc.boolean(), mentions: few(nasty), ownSettings: few(nasty) },
  ...{ ...files, fault: fc.constantFrom(null, null, null, 'breaks off') },
})
const database = fc.record({
  ...{
    name: fc.oneof(nasty, fc.constantFrom('alice_a', 'alice_b')),
    engine: fc.constantFrom('mysql', 'mysql', 'pgsql'),
  },
  ...{ charset: nullable(nasty), users: few(fc.record({ name: fc.oneof(nasty, fc.constant('alice_u')), hash })) },
  ...{ dumpBytes: nullable(count), suspended: fc.boolean() },
})
const mailbox = fc.record({
  ...{
    name: fc.oneof(nasty, fc.constantFrom('info', 'Info')),
    hash,
    quotaMb: nullable(fc.double({ min: 0, noNaN: true })),
  },
  ...{
    forwards: few(nasty),
    keepCopy: fc.boolean(),
    autoReply: nullable(nasty),
    suspended: fc.boolean(),
    messages: count,
  },
  bytes: count,
})
const mail = fc.record({
  ...{ domain: nasty, catchAll: nullable(nasty), dkim: fc.boolean(), dkimSelector: nasty, suspended: fc.boolean() },
  mailboxes: few(mailbox),
  aliases: few(fc.record({ name: nasty, targets: few(nasty) })),
  ...{ refused: tally, fault: fc.constantFrom(null, null, 'breaks off') },
})
const zone = fc.record({
  domain: nasty,
  text: fc.oneof(
    nasty,
    nasty.map((name) => `@ 3600 IN A 192.0.2.9\n${name} 60 IN TXT "${name}"\n@ IN MX 10 ${name}\n`),
  ),
  ...{ records: fc.nat(5), dnssec: fc.boolean(), suspended: fc.boolean() },
})
const inventories = fc.record({
  format: fc.constantFrom('hestia', 'cpanel', 'plain', 'directadmin'),
  account: fc.record({ name: nasty, plan: nullable(nasty), contact: nullable(nasty), suspended: fc.boolean() }),
  ...{
    addresses: fc.constantFrom([], ['192.0.2.9'], ['no address']),
    websites: few(website),
    databases: few(database),
  },
  ...{ mail: few(mail), zones: few(zone), refused: tally, members: count, bytes: count },
  cron: few(fc.record({ when: nasty, command: nasty, suspended: fc.boolean() })),
  ftp: few(fc.record({ name: nasty, website: nasty, path: nasty, hash })),
  others: few(fc.record({ what: nasty, count: fc.nat(5), why: fc.constant('because') })),
})

/** As the door takes what an agent reports. */
const received = (value: unknown): Inventory =>
  Inventory.parse(
    JSON.parse(JSON.stringify(value), (_, one: unknown) =>
      typeof one === 'string' ? one.replaceAll('\0', '\ufffd').toWellFormed() : one,
    ),
  )

it('draws, starts and takes back whatever an archive contains, and never fails without a reason', async () => {
  const { app } = world
  const call = (method: 'GET' | 'POST', path: string, body?: unknown) =>
    world.call(method, `/api${path}`, { token: world.admin, ...(body !== undefined && { body }) })
  const [{ serverId = 0 } = {}] = await rows<{ serverId: number }>(
    app.db,
    sql`select server_id as "serverId" from archive_imports where file_name = '/backup/ready.tar'`,
  )
  const begun: number[] = []
  const holds = fc.asyncProperty(inventories, fc.constantFrom(1, 2), async (raw, userId) => {
    const inventory = received(raw)
    const [{ id = 0 } = {}] = await rows<{ id: number }>(
      app.db,
      sql`insert into archive_imports (server_id, source, file_name, status, inventory, staff_name, created_by)
        values (${serverId}, 'path', '/backup/hostile.tar', 'ready', ${JSON.stringify(inventory)}::jsonb, 'Hostile', 1)
        returning archive_import_id as id`,
    )
    const plan = await call('GET', `/archive-imports/${id}/plan?userId=${userId}&plan=1`)
    expect(plan.status, JSON.stringify(plan.body)).toBe(200)
    for (const line of plan.body.lines) PlanLine.parse(line)
    // what the archive has is in the plan: carried, changed, or left out with a reason
    const keys = plan.body.lines.map(({ key }: { key: string }) => key)
    for (const { domain } of inventory.websites) expect(keys).toContain(`website:${domain}`)
    for (const { domain } of inventory.mail) expect(keys).toContain(`mail:${domain}`)
    for (const { name } of inventory.databases) expect(keys).toContain(`database:${name}`)
    for (const line of plan.body.lines)
      if (line.verdict === 'left out') expect(line.notes.join(''), JSON.stringify(line)).not.toBe('')
    const start = await call('POST', `/archive-imports/${id}/start`, { userId, plan: 1 })
    expect([202, 422, 409], JSON.stringify(start.body)).toContain(start.status)
    if (start.status !== 202) return
    begun.push(id)
    await carryOutAll(app.db, serverId, ({ name }) =>
      name === 'archive.unpack' ? { status: 'failed', reason: 'a test ends it' } : {},
    )
    expect((await call('POST', `/archive-imports/${id}/roll-back`)).status).toBe(202)
    await carryOutAll(app.db, serverId)
    expect((await call('GET', `/archive-imports/${id}`)).body.status).toBe('rolled-back')
  })
  await fc.assert(holds, { seed, numRuns: runs * 4 })
  expect(begun.length).toBeGreaterThan(0)
  // nothing of them is left
  expect(
    await rows(app.db, sql`select domain from websites where domain like '%.example.net' and deleted_at is null`),
  ).toEqual([])
})
