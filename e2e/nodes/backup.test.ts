import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../server/test/emptyDatabase.ts'
import { Innkeeper, password, repository } from '../innkeeper.ts'
import { knock, pinOf } from './agent.ts'

/** Runs `npm run <name> -- …` on the data of the environment. Answers exit code and output. */
async function task(
  name: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const argv = [join(repository, 'server/task.ts'), name, ...args]
  const child = spawn(process.execPath, argv, { env: { PATH: process.env.PATH ?? '', ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString()
    })
  const [code] = await once(child, 'close')
  return { code, said }
}

const credential = 'a-credential-that-is-long-enough-to-be-one'
const claim = { lane: 'long', free: 1 }

describe('npm run backup and restore, on the embedded database', () => {
  let innkeeper: Innkeeper
  let file: string
  let pin: string
  let old: string
  beforeAll(async () => {
    innkeeper = await Innkeeper.open({ embedded: true })
    file = join(innkeeper.dataDir, 'backup')
    const { enrolment } = await innkeeper.must('POST', '/cloud-management/servers', { name: 'kept', type: 'web' })
    const token = /Bearer ([\w-]+)/.exec(enrolment.command)?.[1]
    await knock(innkeeper.port + 43, '/agent/enrol', '', { token, credential, hostname: 'kept' })
    pin = await pinOf(innkeeper.port + 43)
    old = innkeeper.token
  })
  afterAll(() => innkeeper?.close())

  test('a backup runs while Innkeeper runs', async () => {
    const { code, said } = await task('backup', ['backup'], { ...innkeeper.env, INIT_CWD: innkeeper.dataDir })
    expect(said).toMatch(new RegExp(`^${file}: \\d+ tables, \\d+ rows`))
    expect(said).toContain('INNKEEPER_KEY is not in it')
    expect(code).toBe(0)
    await innkeeper.must('POST', '/owners', { name: 'after the backup', email: 'after@example.org' })
  })

  test('wrong arguments are reported with the usage, and no file is overwritten', async () => {
    const wrong = { 'backup()': [], 'backup(x)': [file], 'backup(--flag)': ['x', '--flag'], 'restore()': [] }
    for (const [what, args] of Object.entries(wrong)) {
      const { code, said } = await task(what.split('(')[0] ?? '', args, innkeeper.env)
      expect(code, what).toBe(1)
      expect(said, what).not.toMatch(/\n\s+at /) // no stack trace
    }
    expect((await task('backup', [], innkeeper.env)).said).toContain('--with-key')
    expect((await task('backup', [file], innkeeper.env)).said).toContain('is there already')
  })

  test('a restore is refused while Innkeeper runs', async () => {
    const { code, said } = await task('restore', [file], innkeeper.env)
    expect([code, said]).toEqual([1, 'Stop Innkeeper first: restore cannot run while Innkeeper is running\n'])
    expect((await innkeeper.must('GET', '/groups/owners')).total).toBe(1)
  })

  test('a restore restores all data: staff sign in again, agents stay connected', async () => {
    expect(await innkeeper.signal('SIGTERM')).toMatchObject({ code: 0 })
    expect((await task('restore', [file], innkeeper.env)).said).toContain('is not empty')
    rmSync(join(innkeeper.dataDir, 'db'), { recursive: true })
    const restored = await task('restore', [file], innkeeper.env)
    expect(restored.said).toMatch(/is whole.*rows, in/s)
    expect(restored.code).toBe(0)
    await innkeeper.start()
    expect((await innkeeper.call('GET', '/groups/owners', undefined, old)).status).toBe(401)
    innkeeper.token = await innkeeper.signIn('admin', password)
    expect((await innkeeper.must('GET', '/groups/owners')).total).toBe(0)
    expect(await pinOf(innkeeper.port + 43)).toBe(pin)
    const { status, body } = await knock(innkeeper.port + 43, '/agent/claim', credential, claim)
    expect(status).toBe(200)
    expect(body.ops).toMatchObject([{ name: expect.any(String) }]) // work that waited before the backup
  })

  const onPostgres = process.env.TEST_POSTGRES ? {} : { skip: true, meta: { why: 'TEST_POSTGRES is not set' } }
  test('a backup of the embedded database restores into PostgreSQL', onPostgres, async () => {
    const kept = join(innkeeper.dataDir, 'moving')
    expect((await task('backup', [kept, '--with-key'], innkeeper.env)).said).toContain('INNKEEPER_KEY is in it')
    await innkeeper.kill()
    const place = await emptyDatabase()
    try {
      const env = { ...innkeeper.env, DATABASE_URL: place.url, INNKEEPER_KEY: 'not the key that it was' }
      expect((await task('restore', [kept], env)).said).toContain('INNKEEPER_KEY is another')
      env.INNKEEPER_KEY = readFileSync(join(innkeeper.dataDir, 'key'), 'utf8')
      expect(await task('restore', [kept], env)).toMatchObject({ code: 0 })
      await innkeeper.start(env)
      innkeeper.token = await innkeeper.signIn('admin', password)
      expect((await knock(innkeeper.port + 43, '/agent/claim', credential, claim, 300)).status).not.toBe(401)
      expect(await pinOf(innkeeper.port + 43)).toBe(pin)
    } finally {
      await innkeeper.kill()
      await place.drop()
    }
  })
})
