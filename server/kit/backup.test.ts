import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seed } from '../../seed/seed.ts'
import { actionLogs, owners, plans } from '../tables.ts'
import { writeLog } from './audit.ts'
import { backup, tablesOf } from './backup.ts'
import { type Database, type Db, openDatabase, rows } from './db.ts'
import { schemas } from './migrations.ts'
import { restore } from './restore.ts'
import { brokenSeal, sealNext } from './seal.ts'
import { secretsUnder } from './secrets.ts'
import { openSessions } from './sessions.ts'
import { emptyDatabase } from './test.ts'

const key = 'the key of these tests'
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-backup-'))
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  rmSync(folder, { recursive: true })
})

type Kind = 'embedded' | 'postgresql'
let places = 0
/** An empty database and where it is, as settings say it. */
async function place(kind: Kind) {
  const dataDir = join(folder, `place${++places}`)
  const { url, drop } = kind === 'embedded' ? { url: join(dataDir, 'db'), drop: () => {} } : await emptyDatabase()
  closing.push(drop)
  return { database: url, dataDir, embedded: kind === 'embedded', key }
}

/** Ends with the test that asked for it. */
async function opened<T>(url: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url)
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const awkward = [
  `O'Brien "the \\ backslash" \\n \\u0041 $1 %s ; drop table owners; --`,
  '\u2028\u2029\r\n\t\b\u0001\u007f\u0085 line ends of every kind',
  '🦆 e\u0301 \u202eright to left\u202c \ufeff \uffff \u{10ffff}',
  '[1,2]',
  '{"end":"owners","rows":0,"sha256":""}',
  'null',
  'NULL',
  '\\N',
  '',
]
async function fill(db: Db): Promise<void> {
  await seed(db, () => {})
  await db.insert(owners).values(awkward.map((name) => ({ name, email: name, externalId: name || null })))
  await db.insert(plans).values({
    name: 'Awkward',
    diskMb: 1,
    memoryMb: 1,
    cpuPercent: 1,
    tasks: 1,
    websites: 1,
    databases: 1,
    mailboxes: 1,
    ftpUsers: 1,
    phpVersions: [...awkward, '{a,"b"}'],
  })
  const entry = { staffId: null, staffName: 'x', service: 'a', action: 'b', resource: null, resourceId: null }
  for (const text of awkward)
    await writeLog(db, { ...entry, workflowId: null, ip: null, requestId: text }, 'success', {
      [text]: [text, { deep: [[[text]]] }, 1e300, -0.1, 12345678901234, null, true],
    })
  await db.execute(sql`update action_outputs set text = ${awkward.join('')} where seq = 0`)
  await db.execute(sql`update server_states set load = 0.1 + 0.2, uptime = 1e-7`)
  await db.execute(sql`insert into owners (name, email) values ('gone', 'g'), ('gone', 'g')`)
  await db.execute(sql`delete from owners where name = 'gone'`) // their numbers are never given again
  await db.execute(sql`insert into plans (name, disk_mb, memory_mb, cpu_percent, tasks, websites, databases, mailboxes, ftp_users,
    php_versions) values ('nothing', 0, 0, 0, 0, 0, 0, 0, 0, array[null, 'NULL', '', 'a,b'])`)
  await secretsUnder(key).write(db, 'sessions', 'a secret for tests only, long enough for HS256')
  while ((await sealNext(db, Number.MAX_SAFE_INTEGER)) > 0);
}

/** A print of each table; that sessions are ended is the one thing that a restore changes. */
async function prints(db: Db): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  await db.execute(sql`set timezone = 'UTC'`)
  for (const { name } of await tablesOf(db))
    [found[name]] = await rows(
      db,
      sql`select count(*)::int as rows, md5(string_agg(line, '|' order by line collate "C")) as print
        from (select (to_jsonb(t) - 'revoked_at')::text as line from ${sql.identifier(name)} t) lines`,
    )
  return found
}

const ways: [Kind, Kind][] = process.env.TEST_POSTGRES
  ? [
      ['postgresql', 'postgresql'],
      ['postgresql', 'embedded'],
      ['embedded', 'postgresql'],
    ]
  : [['embedded', 'embedded']]

describe.each(ways)('a backup of %s, restored into %s', (from, to) => {
  const file = join(folder, `${from}-${to}`)
  let source: Database
  let before: Record<string, unknown>
  let token: string
  let target: Awaited<ReturnType<typeof place>>

  beforeAll(async () => {
    source = await openDatabase((await place(from)).database)
    closing.push(() => source.close())
    await fill(source.db)
    token = await (await openSessions(source, 'a secret for tests only, long enough for HS256')).open(source.db, 1, {
      ip: null,
      userAgent: null,
    })
    before = await prints(source.db)
    const said: string[] = []
    await backup(source.db, { key, embedded: from === 'embedded' }, file, { say: (line) => said.push(line) })
    target = await place(to)
    await restore(target, file, { say: (line) => said.push(line) })
    console.log(said.map((line) => `  ${line.replace(`${folder}/`, '')}`).join('\n'))
  }, 120_000)

  it('is the same to the last byte in every table', async () => {
    expect(before.websites).toMatchObject({ rows: 3000 })
    await opened(target.database, async ({ db }) => expect(await prints(db)).toEqual(before))
  })
  it('has a whole action log, which goes on', async () => {
    await opened(target.database, async ({ db }) => {
      expect(await brokenSeal(db)).toBeUndefined()
      await db.insert(actionLogs).values({ staffName: 'x', service: 'a', action: 'b', result: 'success' })
      expect(await sealNext(db)).toBe(1)
      expect(await brokenSeal(db)).toBeUndefined()
    })
  })
  it('gives no number again, and none that an agent may know to an action', async () => {
    const next = async (db: Db, table: string, id: string) =>
      (await rows<{ n: number }>(db, sql`select nextval(pg_get_serial_sequence(${table}, ${id}))::float8 as n`))[0]
        ?.n ?? 0
    await opened(target.database, async ({ db }) => {
      for (const [table, id] of [
        ['owners', 'owner_id'],
        ['websites', 'website_id'],
      ] as const)
        expect(await next(db, table, id)).toBe(await next(source.db, table, id))
      expect(await next(db, 'actions', 'action_id')).toBe((await next(source.db, 'actions', 'action_id')) + 10_000_000)
    })
  })
  it('has ended every session', async () => {
    await opened(target.database, async (database) => {
      const sessions = await openSessions(database, 'a secret for tests only, long enough for HS256')
      await expect(sessions.authenticate(token)).rejects.toMatchObject({ status: 401 })
    })
    await expect(
      (await openSessions(source, 'a secret for tests only, long enough for HS256')).authenticate(token),
    ).resolves.toBeDefined()
  })
  it('goes into no database that holds anything', async () => {
    await expect(restore(target, file)).rejects.toThrow(
      /not empty \(.*websites.*Stop Innkeeper|not empty.*Create another/,
    )
    await opened(target.database, async ({ db }) =>
      expect(await rows(db, sql`select from websites`)).toHaveLength(3000),
    )
  })
  it('is not restored under another key, and leaves the place empty', async () => {
    const other = await place(to)
    await expect(restore({ ...other, key: 'another key altogether' }, file)).rejects.toThrow('is INNKEEPER_KEY the one')
    await restore(other, file)
  }, 60_000)
  it('is not restored once its log was altered, unless that is asked for', async () => {
    const forged = join(folder, `${from}-${to}-forged`)
    const tampered = await place(from)
    await restore(tampered, file)
    await opened(tampered.database, async ({ db }) => {
      await db.execute(sql`alter table action_logs disable trigger all`)
      await db.execute(sql`update action_logs set result = 'denied' where action_log_id = 3`)
      await backup(db, { key, embedded: from === 'embedded' }, forged)
    })
    const other = await place(to)
    await expect(restore(other, forged)).rejects.toThrow('row 3 of the chain is altered')
    await restore(other, forged, { brokenLog: true })
  }, 60_000)
})

describe('a backup file', () => {
  const file = join(folder, 'small')
  const kind: Kind = process.env.TEST_POSTGRES ? 'postgresql' : 'embedded'
  beforeAll(async () => {
    const { database } = await place(kind)
    await opened(database, async ({ db }) => {
      await db.insert(owners).values(awkward.map((name) => ({ name, email: 'a@example.org' })))
      await secretsUnder(key).write(db, 'one', 'value')
      await backup(db, { key, embedded: kind === 'embedded' }, file)
    })
  })

  it('is for its owner alone, without the key, and overwrites nothing', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain(key)
    const { database } = await place(kind)
    await opened(database, ({ db }) =>
      expect(backup(db, { key, embedded: true }, file)).rejects.toThrow('is there already'),
    )
    expect(existsSync(`${file}.partial`)).toBe(false)
  })
  it('is refused before anything is written, wherever it is damaged or cut', async () => {
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
  it('of a schema that this version does not know is left to the version that made it', async () => {
    const header = { innkeeper: 'backup', format: 1, schema: 4e12, taken: new Date().toISOString(), from: 'embedded' }
    const lines = `${JSON.stringify(header)}\n`
    const { createHash } = await import('node:crypto')
    const sha256 = createHash('sha256').update(lines).digest('hex')
    writeFileSync(`${file}-newer`, gzipSync(`${lines}${JSON.stringify({ end: 'backup', parts: 0, sha256 })}\n`))
    await expect(restore(await place('embedded'), `${file}-newer`)).rejects.toThrow('of a newer Innkeeper')
  })
  it('of an older schema is restored as that and brought up', async () => {
    const [, foundation = 0] = schemas()
    const old = await place(kind)
    const database = await openDatabase(old.database, { schema: foundation })
    await database.db.insert(owners).values({ name: 'old', email: 'old@example.org' })
    await backup(database.db, { key, embedded: kind === 'embedded' }, `${file}-old`)
    await database.close()
    const fresh = await place(kind)
    await restore(fresh, `${file}-old`)
    await opened(fresh.database, async ({ db }) => {
      expect(await rows(db, sql`select name from owners`)).toEqual([{ name: 'old' }])
      expect(await rows(db, sql`select from plans`)).toHaveLength(5) // which a later migration brings
    })
  })
  it('with the key in it makes the key of the place where it is restored', async () => {
    const { database } = await place(kind)
    await opened(database, async ({ db }) => {
      await secretsUnder(key).write(db, 'one', 'value')
      await backup(db, { key, embedded: false }, `${file}-key`, { withKey: true })
    })
    const fresh = { ...(await place('embedded')), key: 'made at the first start' }
    await expect(restore(fresh, `${file}-key`)).rejects.toThrow('INNKEEPER_KEY is another')
    writeFileSync(join(fresh.dataDir, 'key'), fresh.key)
    await restore(fresh, `${file}-key`)
    expect(readFileSync(join(fresh.dataDir, 'key'), 'utf8')).toBe(key)
  })
})

describe('npm run restore', () => {
  const file = join(folder, 'interrupted')
  const kinds: Kind[] = process.env.TEST_POSTGRES ? ['postgresql', 'embedded'] : ['embedded']

  beforeAll(async () => {
    await opened((await place(kinds[0]!)).database, async ({ db }) => {
      await fill(db)
      await backup(db, { key, embedded: kinds[0] === 'embedded' }, file)
    })
  }, 60_000)

  it.each(kinds)('stopped at any moment leaves an empty database, or a whole one: %s', async (kind) => {
    const target = await place(kind)
    const env = {
      PATH: process.env.PATH,
      INNKEEPER_KEY: key,
      INNKEEPER_DATA: target.dataDir,
      ...(kind === 'postgresql' && { DATABASE_URL: target.database }),
    }
    const run = async (killAfter?: number, signal: NodeJS.Signals = 'SIGINT') => {
      const child = spawn(process.execPath, [join(import.meta.dirname, '../task.ts'), 'restore', file], { env })
      let said = ''
      child.stderr.on('data', (part) => {
        said += part
      })
      if (killAfter) void sleep(killAfter).then(() => child.kill(signal))
      const began = performance.now()
      const [code] = await once(child, 'close')
      return { code, said, ms: performance.now() - began }
    }
    const other = await place(kind)
    const { ms } = await run()
    await opened(target.database, async ({ db }) =>
      expect(await rows(db, sql`select from websites`)).toHaveLength(3000),
    )
    env.INNKEEPER_DATA = other.dataDir
    if (kind === 'postgresql') env.DATABASE_URL = other.database
    let interrupted = 0
    for (const part of [0.4, 0.6, 0.75, 0.85, 0.92]) {
      const { code, said } = await run(ms * part, part < 0.8 ? 'SIGINT' : 'SIGKILL')
      if (code === null) interrupted += 1
      else if (code !== 0) expect(said).toMatch('is not empty')
      await opened(other.database, async ({ db }) => {
        const found = (await rows(db, sql`select from websites`)).length
        expect([0, 3000]).toContain(found)
        expect(await rows(db, sql`select from owners`)).toHaveLength(found && (await countOf(file, 'owners')))
      })
    }
    expect(interrupted).toBeGreaterThan(2)
    const { code, said } = await run()
    expect(code === 0 || /is not empty/.test(said), said).toBe(true)
    await opened(other.database, async ({ db }) => expect(await brokenSeal(db)).toBeUndefined())
  }, 180_000)
})

const countOf = async (file: string, table: string): Promise<number> =>
  Number(new RegExp(`\\{"end":"${table}","rows":(\\d+)`).exec(gunzipSync(readFileSync(file)).toString())?.[1])
