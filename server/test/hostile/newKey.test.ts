import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetSecrets } from '../../kit/app/forgetSecrets.ts'
import { Keyring } from '../../kit/app/keyring.ts'
import { exchangeKey } from '../../kit/app/newKey.ts'
import { kindOf, wordingOf } from '../../kit/app/secretKinds.ts'
import { secretsUnder } from '../../kit/app/secrets.ts'
import { secrets as table } from '../../kit/app/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { notifyOfLost } from '../../lostSecrets/notify.ts'
import { secretKinds } from '../../registry.ts'
import { openWorld, type World } from './world/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'innkeeper-key-'))
const KEY = 'a key for tests only'
let t: World
beforeAll(async () => {
  t = await openWorld()
})
afterAll(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})
const quiet = () => {}
const sealed = () => t.app.db.select().from(table)

describe('npm run new-key', () => {
  const file = join(folder, 'next')
  const exchange = (key: string, say: (line: string) => void = quiet) =>
    exchangeKey(t.app.db, { key, embedded: true }, file, say)

  it('encrypts every secret again while nodes read and write, also after a kill', async () => {
    const { db } = t.app
    const node = secretsUnder(KEY)
    for (let n = 0; n < 25; n++) await node.write(db, `database-user:${n}:x`, `value ${n}`)
    await db.execute(sql`insert into secrets (name, sealed)
      select 'filler ' || n, (select sealed from secrets where name = 'database-user:1:x') from generate_series(1, 5500) n`)
    // killed when it says how far it is
    const killed = exchange(KEY, (line) => {
      if (/^\d+ of \d+ secrets$/.test(line)) throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    const next = readFileSync(file, 'utf8')
    const [former, fresh] = [new Keyring(KEY), new Keyring(next)]
    const under = async (ring: Keyring) =>
      (await sealed()).filter(({ name, sealed: s }) => ring.open(name, s) !== undefined)
    expect((await under(former)).length).toBeGreaterThan(0)
    expect((await under(fresh)).length).toBeGreaterThan(0)

    // nodes with the former and with the new key
    const started = secretsUnder(next)
    for (const one of [node, started, secretsUnder(KEY)]) {
      expect(await one.read(db, 'database-user:7:x')).toBe('value 7')
      await one.write(db, 'ftp-user:1:x', 'written meanwhile')
      expect(await started.read(db, 'ftp-user:1:x')).toBe('written meanwhile')
      expect(await one.currentKey(db)).toBe(next)
    }
    expect((await under(fresh)).map(({ name }) => name)).toContain('ftp-user:1:x')

    const said: string[] = []
    await exchange(KEY, (line) => void said.push(line))
    expect(said.join('\n')).toMatch(/Set INNKEEPER_KEY/)
    const left = (await under(former)).filter(({ name }) => !name.startsWith('filler'))
    expect(left).toEqual([])
    await exchange(next)
    await expect(secretsUnder(KEY).currentKey(db)).rejects.toThrow('is a former key')
    await expect(secretsUnder(KEY).write(db, 'ftp-user:1:x', 'lost')).rejects.toThrow('is a former key')
    await node.write(db, 'ftp-user:1:x', 'of a node that runs on')
    expect(await started.read(db, 'ftp-user:1:x')).toBe('of a node that runs on')
    await db.execute(sql`delete from secrets where name like 'filler %'`)
  })

  it('replaces the file of an installation that has its key there', async () => {
    const keyFile = join(folder, 'key')
    const settings = { key: readFileSync(file, 'utf8'), keyFile, embedded: true }
    const former = settings.key
    writeFileSync(keyFile, former)
    await exchangeKey(t.app.db, settings, undefined, quiet)
    expect(settings.key).toBe(readFileSync(keyFile, 'utf8'))
    expect(settings.key).not.toBe(former)
    expect(await secretsUnder(settings.key).read(t.app.db, 'database-user:7:x')).toBe('value 7')
    await exchangeKey(t.app.db, settings, undefined, quiet) // in the same process
    expect(await secretsUnder(settings.key).read(t.app.db, 'database-user:7:x')).toBe('value 7')
  })
})

describe('npm run new-key -- --forget-secrets', () => {
  const other = 'a key that somebody has made up'

  it('knows each kind of secret', async () => {
    const unknown = (await sealed()).filter(({ name }) => !kindOf(secretKinds, name)).map(({ name }) => name)
    expect(unknown).toEqual([])
  })
  it('forgets nothing that the key opens', async () => {
    const said: string[] = []
    await forgetSecrets(t.app.db, { key: readFileSync(join(folder, 'key'), 'utf8') }, secretKinds, (line) =>
      said.push(line),
    )
    expect(said).toEqual(['The key opens every secret: nothing is lost.'])
  })
  it('lists what was lost, and everything says so until it is entered again', async () => {
    const { db } = t.app
    const said: string[] = []
    const told: string[] = []
    await forgetSecrets(
      db,
      { key: other },
      secretKinds,
      (line) => said.push(line),
      async (_, kinds) => {
        told.push(...kinds.map(({ what }) => what))
      },
    )
    expect(told).toContain('Password of a database account')
    expect(told).not.toContain('Password of an account on a backup server') // Innkeeper made new ones
    for (const kind of secretKinds)
      if ((await sealed()).some(({ name }) => name.startsWith(kind.prefix)))
        expect(said.join('\n'), kind.prefix).toContain(kind.what)
    expect(said.join('\n')).toMatch(/Password of a database account: \d+\n {2}Databases → Users/)
    const secrets = secretsUnder(other, wordingOf(secretKinds))
    await expect(secrets.read(db, 'database-user:7:x')).rejects.toMatchObject({
      status: 409,
      message:
        'Password of a database account was lost with Innkeeper’s key. Databases → Users: set a new password, and enter it in the application.',
    })
    expect(await secrets.readKept(db, 'database-user:7:x')).toBeUndefined()
    expect(await secrets.readOrMake(db, 'database-user:7:x', () => 'new')).toBe('new')
    const listed = async (token: string) => {
      const { body } = await t.call('GET', '/api/lost-secrets', { token })
      return body.items.map(({ what, count }: { what: string; count: number }) => [what, count])
    }
    const [mail, both] = [await t.somebody(['mailbox:user:update']), await t.somebody('admin')]
    const before = new Map<string, number>(await listed(both.token))
    expect((await listed(mail.token)).map(([what]: [string]) => what)).not.toContain('Password of a database account')
    const [account] = await rows<{ secret: string }>(
      db,
      sql`select secret from database_users join secrets s on s.name = secret where lost_at is not null limit 1`,
    )
    await secrets.write(db, account!.secret, 'entered')
    await secrets.write(db, 'database-user:8:x', 'entered')
    const after = new Map<string, number>(await listed(both.token))
    expect(after.get('Password of a database account')).toBe(before.get('Password of a database account')! - 1)
    await notifyOfLost(
      db,
      secretKinds.filter(({ prefix }) => prefix === 'mailbox:'),
    )
    const { body } = await t.call('GET', '/api/employee-controller/notifications', { token: mail.token })
    expect(JSON.stringify(body)).toContain('/lost-secrets')
    expect(await secrets.read(db, 'database-user:8:x')).toBe('entered')
    const [accounts] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from secrets where name like 'backup-account:%' and lost_at is not null`,
    )
    expect(accounts?.n).toBe(0)
    expect(existsSync(join(folder, 'key'))).toBe(true)
  })
})
