import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isProvenOnPostgres, sliced } from '../../../bin/slice.ts'
import { actionLogs, departments, owners, users } from '../../tables.ts'
import { emptyDatabase } from '../../test/emptyDatabase.ts'
import { openSessions } from '../access/sessions.ts'
import { secretsUnder } from '../app/secrets.ts'
import { brokenSeal, sealNext } from '../audit/seal.ts'
import { type Database, type Db, rows } from '../db/db.ts'
import { reasonOf } from '../db/failures.ts'
import { schemas } from '../db/migrations.ts'
import { openDatabase } from '../db/open.ts'
import { backup, tablesOf } from './backup.ts'
import { readBackup } from './backupFile.ts'
import { restore } from './restore.ts'
import { awkward, fill, MORE, refusals, SITES } from './test/source.ts'

const key = 'the key of these tests'
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-backup-'))
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  rmSync(folder, { recursive: true })
})

/** Prints sizes and durations. */
const say = (line: string) => console.log(line.replace(`${folder}/`, ''))

type Kind = 'embedded' | 'postgresql'
let places = 0
/** Settings of a new empty database of this kind. */
async function place(kind: Kind) {
  const dataDir = join(folder, `place${++places}`)
  const { url, drop } = kind === 'embedded' ? { url: join(dataDir, 'db'), drop: () => {} } : await emptyDatabase()
  closing.push(drop)
  return { database: url, dataDir, embedded: kind === 'embedded', key }
}

const source = async (kind: Kind) => (kind === 'embedded' ? 'memory:' : (await place(kind)).database)

/** Closes the database at the end of the test. */
async function opened<T>(url: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url)
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

interface Print {
  rows: number
  print: string | null
}
/** A digest of each table, without the sessions, which a restore ends. */
async function prints(db: Db): Promise<Record<string, Print>> {
  const found: Record<string, Print> = {}
  await db.execute(sql`set timezone = 'UTC'`)
  for (const { name } of await tablesOf(db))
    for (const print of await rows<Print>(
      db,
      sql`select count(*)::int as rows, md5(string_agg(line, '|' order by line collate "C")) as print
        from (select (to_jsonb(t) - 'revoked_at')::text as line from ${sql.identifier(name)} t) lines`,
    ))
      found[name] = print
  return found
}

/** The next id of each table, consumed by the call. */
async function numbers(db: Db): Promise<{ owners: number; websites: number; actions: number }> {
  const next = (table: string, id: string) => sql`nextval(pg_get_serial_sequence(${table}, ${id}))::float8`
  const [found] = await rows<Awaited<ReturnType<typeof numbers>>>(
    db,
    sql`select ${next('owners', 'owner_id')} as owners, ${next('websites', 'website_id')} as websites, ${next('actions', 'action_id')} as actions`,
  )
  return found!
}

const kind: Kind = process.env.TEST_POSTGRES ? 'postgresql' : 'embedded'
const across: [Kind, Kind][] = [
  ['postgresql', 'embedded'],
  ['embedded', 'postgresql'],
]
const ways: [Kind, Kind][] = process.env.TEST_POSTGRES
  ? [['postgresql', 'postgresql'], ...sliced(across)]
  : [['embedded', 'embedded']]

const secret = 'a secret for tests only, long enough for HS256'
const made = new Map<Kind, ReturnType<typeof makeSource>>()
/** A seeded database with awkward content, still open, with its backup; created once per kind. */
const sourceOf = (kind: Kind) => made.get(kind) ?? made.set(kind, makeSource(kind)).get(kind)!
async function makeSource(kind: Kind) {
  const database = await openDatabase(await source(kind))
  closing.push(() => database.close())
  await fill(database.db, key)
  const sessions = await openSessions(database, secret)
  const token = await sessions.open(database.db, 1, { ip: null, userAgent: null })
  const before = await prints(database.db)
  const file = join(folder, kind)
  await backup(database.db, { key, embedded: kind === 'embedded' }, file, { say })
  return { db: database.db, sessions, token, before, next: await numbers(database.db), file }
}

describe.each(ways)('a backup of %s, restored into %s', (from, to) => {
  let source: Awaited<ReturnType<typeof makeSource>>
  let target: Awaited<ReturnType<typeof place>>
  let database: Database

  beforeAll(async () => {
    source = await sourceOf(from)
    target = await place(to)
    await restore(target, source.file, { say })
    database = await openDatabase(target.database)
  })

  it('is identical to the last byte in every table', async () => {
    // some websites have aliases, copies and sub-websites
    expect(source.before.websites?.rows).toBeGreaterThanOrEqual(SITES + MORE)
    expect(await prints(database.db)).toEqual(source.before)
    const empty = Object.entries(source.before).filter(([, { rows: n }]) => n === 0)
    expect(empty).toEqual([])
  })
  it('has the rows that triggers refuse, and the triggers', async () => {
    const found = await rows<{ name: string }>(
      database.db,
      sql`select tgname as name from pg_trigger where not tgisinternal and tgenabled = 'O' order by 1`,
    )
    expect(found.map(({ name }) => name)).toEqual(Object.keys(refusals))
    // a constraint that reads other rows, or holds for new rows only, could refuse a row that is in the backup
    const dependent = await rows(
      database.db,
      sql`select conname from pg_constraint c where connamespace = 'public'::regnamespace and (not convalidated
        or exists (select from pg_depend d join pg_proc p on p.oid = d.refobjid and p.pronamespace = 'public'::regnamespace
          where d.classid = 'pg_constraint'::regclass and d.objid = c.oid and d.refclassid = 'pg_proc'::regclass))`,
    )
    expect(dependent).toEqual([])
    for (const { db } of [source, database])
      for (const [name, statement] of Object.entries(refusals)) {
        const tried = statement && db.transaction((tx) => tx.execute(statement)).then(() => 'accepted', reasonOf)
        expect(await tried, name).toEqual(
          statement && expect.stringMatching(/^the (month is closed|action log is never)/),
        )
      }
  })
  it('has a complete action log, which continues after the restore', async () => {
    const { db } = database
    expect(await brokenSeal(db)).toBeUndefined()
    await db.insert(actionLogs).values({ staffName: 'x', service: 'a', action: 'b', result: 'success' })
    expect(await sealNext(db)).toBe(1)
    expect(await brokenSeal(db)).toBeUndefined()
  })
  it('reuses no id of a deleted row, and no id of an action that an agent may know', async () => {
    const { owners, websites, actions } = source.next
    expect(await numbers(database.db)).toEqual({ owners, websites, actions: actions + 10_000_000 })
  })
  it('has ended all sessions', async () => {
    const sessions = await openSessions(database, secret)
    await expect(sessions.authenticate(source.token)).rejects.toMatchObject({ status: 401 })
    await expect(source.sessions.authenticate(source.token)).resolves.toBeDefined()
  })
  it('is refused for a database with content', async () => {
    await database.close()
    await expect(restore(target, source.file)).rejects.toThrow(
      /not empty \(.*websites.*(Stop Innkeeper|Create another)/,
    )
  })
})

/** What a file contains and when it is refused: no database decides that. */
const provenOnce = isProvenOnPostgres ? () => {} : describe
provenOnce('a backup file', () => {
  const file = join(folder, 'small')
  beforeAll(async () => {
    await opened(await source(kind), async ({ db }) => {
      await db.insert(owners).values(awkward.map((name) => ({ name, email: 'a@example.org' })))
      await secretsUnder(key).write(db, 'one', 'value')
      for (let n = 0; n < 5; n++)
        await db.insert(actionLogs).values({ staffName: 'x', service: 'a', action: 'b', result: 'success' })
      await sealNext(db)
      await backup(db, { key, embedded: kind === 'embedded' }, file)
      await backup(db, { key, embedded: kind === 'embedded' }, `${file}-key`, { withKey: true })
      await db.execute(sql`alter table action_logs disable trigger all`)
      await db.execute(sql`update action_logs set result = 'denied' where action_log_id = 3`)
      await backup(db, { key, embedded: kind === 'embedded' }, `${file}-forged`)
    })
  })

  it('is readable only by its owner, does not contain the key, and overwrites no file', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain(key)
    await opened(await source(kind), ({ db }) =>
      expect(backup(db, { key, embedded: true }, file)).rejects.toThrow('is there already'),
    )
    expect(existsSync(`${file}.partial`)).toBe(false)
  })
  it('is refused before any change if it is damaged or truncated anywhere', async () => {
    const whole = readFileSync(file)
    const text = gunzipSync(whole).toString()
    const lines = text.split('\n')
    const broken: Record<string, Buffer> = {
      cut: whole.subarray(0, whole.length - 200),
      'cut at a line': gzipSync(`${lines.slice(0, -2).join('\n')}\n`),
      'one letter': gzipSync(text.replace('drop table', 'drop tabla')),
      'a row less': gzipSync(lines.filter((line) => !line.includes('drop table')).join('\n')),
      'another schema': gzipSync(text.replace(/"taken":"2/, '"taken":"3')),
      'a part less': gzipSync(text.replace(/\{"part":"table","name":"owners"[\s\S]*?\{"end":"owners".*\n/, '')),
      'more behind it': gzipSync(`${text}[]\n`),
      'something else': Buffer.from('not a backup'),
      'something else, compressed': gzipSync('{"innkeeper":"other"}\n'),
      nothing: Buffer.alloc(0),
    }
    const other = await place('embedded')
    for (const [what, bytes] of Object.entries(broken)) {
      writeFileSync(`${file}-broken`, bytes)
      await expect(restore(other, `${file}-broken`), what).rejects.toThrow(/broken (is|goes)/)
    }
    expect(existsSync(other.database)).toBe(false)
  })
  it('of an unknown schema is refused with the advice to use the version that made it', async () => {
    const header = { innkeeper: 'backup', format: 1, schema: 4e12, taken: new Date().toISOString(), from: 'embedded' }
    const lines = `${JSON.stringify(header)}\n`
    const { createHash } = await import('node:crypto')
    const sha256 = createHash('sha256').update(lines).digest('hex')
    writeFileSync(`${file}-newer`, gzipSync(`${lines}${JSON.stringify({ end: 'backup', parts: 0, sha256 })}\n`))
    await expect(restore(await place('embedded'), `${file}-newer`)).rejects.toThrow('of a newer Innkeeper')
  })
  it('is not restored under another key or with an altered log, unless requested', async () => {
    const other = await place(kind)
    await expect(restore({ ...other, key: 'another key altogether' }, file)).rejects.toThrow(
      'does INNKEEPER_KEY differ',
    )
    await expect(restore(other, `${file}-forged`)).rejects.toThrow('row 3 of the chain is altered')
    await restore(other, `${file}-forged`, { brokenLog: true })
  })
  it('that includes the key installs the key during the restore', async () => {
    const fresh = { ...(await place('embedded')), key: 'made at the first start' }
    await expect(restore(fresh, `${file}-key`)).rejects.toThrow('INNKEEPER_KEY is another')
    writeFileSync(join(fresh.dataDir, 'key'), fresh.key)
    await restore(fresh, `${file}-key`)
    expect(readFileSync(join(fresh.dataDir, 'key'), 'utf8')).toBe(key)
  })
})

it('a backup file of an older schema is restored and migrated', async () => {
  const old = join(folder, 'old')
  const [, foundation = 0] = schemas()
  const database = await openDatabase(await source(kind), { schema: foundation })
  await database.db.insert(owners).values({ name: 'old', email: 'old@example.org' })
  await backup(database.db, { key, embedded: kind === 'embedded' }, old)
  await database.close()
  const fresh = await place(kind)
  await restore(fresh, old)
  await opened(fresh.database, async ({ db }) => {
    expect(await rows(db, sql`select name from owners`)).toEqual([{ name: 'old' }])
    expect(await rows(db, sql`select from plans`)).toHaveLength(5) // a later migration adds the column
  })
})

// concurrent writers and roles need PostgreSQL
const onPostgres = process.env.TEST_POSTGRES ? describe : () => {}

onPostgres('a backup while others write', () => {
  it('is one snapshot: transactions are complete or absent', async () => {
    const { db, file } = await sourceOf('postgresql')
    let writing = true
    let written = 0
    const writer = (async () => {
      for (; writing; written++) {
        const name = `pair ${written}`
        await db.transaction(async (tx) => {
          await tx.insert(departments).values({ name }) // tables at the beginning and at the end of the file
          await tx.insert(users).values({ ...nobody, username: name, email: name })
          await tx.insert(owners).values({ name, email: name })
        })
      }
    })()
    await backup(db, { key, embedded: false }, `${file}-moving`, { say })
    writing = false
    await writer
    const counts = new Map<string, number>()
    await readBackup(`${file}-moving`, async ({ name }, lines) => {
      counts.set(name, (counts.get(name) ?? 0) + lines.filter((line) => line.includes('"pair ')).length)
    })
    const [first, ...others] = ['departments', 'users', 'owners'].map((name) => counts.get(name))
    say(`${written} written meanwhile, ${first} of them in the backup`)
    expect(written).toBeGreaterThan((first ?? 0) + 5)
    expect(others).toEqual([first, first])
  })
  const nobody = { firstName: 'No', lastName: 'Body', passwordHash: 'none' }
})

onPostgres('where one role owns the tables and another serves', () => {
  it('is restored as the owner; the serving role can make it, but cannot change the action log', async () => {
    const target = await place('postgresql')
    const { database: owner } = target
    const { file } = await sourceOf('postgresql')
    const role = 'innkeeper_test_restores'
    await asOwner(owner, sql.raw(`drop role if exists ${role}; create role ${role} login`))
    const serving = new URL(owner)
    serving.username = role
    vi.stubEnv('DATABASE_OWNER_URL', owner)
    try {
      await restore({ ...target, database: serving.href }, file, { say })
      const { db, close } = await openDatabase(serving.href, { schema: 'as-is' })
      await backup(db, { key, embedded: false }, `${file}-serving`, { say })
      await expect(db.execute(sql`delete from action_logs`)).rejects.toThrow()
      await close()
    } finally {
      vi.unstubAllEnvs()
      await asOwner(owner, sql.raw(`drop owned by ${role}; drop role ${role}`))
    }
  })
  const asOwner = (url: string, statement: ReturnType<typeof sql.raw>) =>
    openDatabase(url, { schema: 'as-is' }).then(async ({ db, close }) => {
      await db.execute(statement)
      await close()
    })
})

describe('npm run restore', () => {
  it('killed at any moment leaves an empty or a complete database', async () => {
    const { file, before } = await sourceOf(kind)
    const target = await place(kind)
    const env = {
      PATH: process.env.PATH,
      INNKEEPER_KEY: key,
      INNKEEPER_DATA: target.dataDir,
      ...(kind === 'postgresql' && { DATABASE_URL: target.database }),
    }
    const run = async (stop: Record<string, string> = {}) => {
      const argv = [
        '--import',
        join(import.meta.dirname, '../../test/kill.ts'),
        join(import.meta.dirname, '../../task.ts'),
      ]
      const child = spawn(process.execPath, [...argv, 'restore', file], { env: { ...env, ...stop } })
      let said = ''
      child.stderr.on('data', (part) => {
        said += part
      })
      const [code] = await once(child, 'close')
      return { code, said }
    }
    // at the first row, in the middle, and after the last row before the commit
    const kills = [
      [1, 'overriding system value', 'SIGKILL'],
      [9, 'overriding system value', 'SIGINT'],
      [1, 'update sessions set revoked_at', 'SIGKILL'],
    ] as const
    for (const [nth, text, signal] of isProvenOnPostgres ? sliced(kills) : kills) {
      const stop = { KILL_NTH: String(nth), KILL_TEXT: text, KILL_WHEN: 'after', KILL_SIGNAL: signal }
      expect(await run(stop), `${signal} at ${nth} ${text}`).toEqual({ code: null, said: '' })
      await opened(target.database, async ({ db }) => {
        for (const table of ['websites', 'owners', 'action_log_seals'])
          expect(await rows(db, sql`select from ${sql.identifier(table)}`), table).toEqual([])
      })
    }
    expect(await run()).toEqual({ code: 0, said: '' })
    await opened(target.database, async ({ db }) => {
      expect(await rows(db, sql`select from websites`)).toHaveLength(before.websites?.rows ?? 0)
      expect(await rows(db, sql`select from action_log_seals`)).toHaveLength(awkward.length)
    })
    const again = await run()
    expect(again.code).toBe(1)
    expect(again.said).toMatch('is not empty')
  })
})
