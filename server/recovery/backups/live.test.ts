import type { Answer, Op } from '@innkeeper/contract/agent/door'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { rows } from '../../kit/db/db.ts'
import { claim, finish } from '../../kit/work/claim.ts'
import { dropTried } from './repositories/password.ts'
import { good, openBackups } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
let backup: { id: number }
beforeAll(async () => {
  b = await openBackups()
  backup = await b.backUp(await b.s.site('read.example', b.web), good(1))
})
afterAll(() => b.t.close())

type Reply = Pick<Answer, 'status'> & Record<string, unknown>
/** Sends a call, and answers the reads of the backup server meanwhile. */
async function during<T>(call: Promise<T>, answer: (op: Op) => Reply): Promise<T> {
  let done = false
  const ended = call.finally(() => {
    done = true
  })
  while (!done) {
    for (const op of await claim(b.t.app.db, b.keeper, 'read', 1))
      await finish(b.t.app.db, b.keeper, [{ id: op.id, attempt: op.attempt, ...answer(op) } as Answer])
    await letPass(5, 'between two looks')
  }
  return ended
}

it('stores a password only if it opens the repository, and logs it without the password', async () => {
  const [[repository]] = (await b.s.call('GET', '/backups/repositories')).body
  const { id, version, account } = repository
  const path = `/backups/repositories/${id}/password`
  const enter = (password: string) => b.s.call('PATCH', path, { password, version })
  const shown = async () => (await b.s.call('POST', path)).body.password
  const before = await shown()
  expect((await enter('short')).status).toBe(400)
  const wrong = 'restic ended with 12: the password of the repository is wrong'
  const refused = await during(enter('the wrong pass phrase'), () => ({ status: 'failed', reason: wrong }))
  expect(refused).toMatchObject({ status: 422, body: { fields: { password: `Does not open ${account}` } } })
  expect(await shown()).toBe(before)
  let tried: unknown
  const changed = await during(enter('the right pass phrase'), (op) => {
    tried = [op.name, op.input.account, op.input.password]
    return { status: 'done', output: {} }
  })
  expect(tried).toEqual(['backup-repository.open', account, { $secret: expect.stringContaining('tried') }])
  expect(changed).toMatchObject({ status: 200, body: { version: version + 1 } })
  expect(await shown()).toBe('the right pass phrase')
  expect((await enter('the right pass phrase')).status).toBe(409) // an old version
  const logs = await rows<{ text: string }>(
    b.t.app.db,
    sql`select action_logs::text as text from action_logs
    union all select backup_logs::text from backup_logs union all select actions::text from actions`,
  )
  const logged = await rows<{ action: string }>(
    b.t.app.db,
    sql`select action from action_logs where resource = 'backup-repository' and result = 'success' order by action_log_id desc limit 2`,
  )
  expect(logged.map(({ action }) => action)).toEqual(['reveal', 'changePassword'])
  expect(logs.filter(({ text }) => /pass phrase/.test(text))).toEqual([])
})

it('reads a large folder in several answers', async () => {
  const entry = (n: number) => ({
    ...{ name: `e${n}`, path: `/e${n}`, type: 'file', size: 1, mode: 420, uid: 1, gid: 1 },
    modifiedAt: new Date(0).toISOString(),
  })
  const page = ({ input: { from = 0 } }: Op) => {
    const first = Number(from)
    const items = Array.from({ length: 1000 }, (_, n) => entry(first + n))
    return { status: 'done' as const, output: { items, self: null, ...(first < 6000 && { next: first + 1000 }) } }
  }
  const { body } = await during(b.s.call('GET', `/backups/backups/${backup.id}/tree?path=/`), page)
  expect(body.more).toBe(true)
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(Array.from({ length: 5000 }, (_, n) => `e${n}`))
})

it('deletes a tried password that a killed process has left, and no other secret', async () => {
  const { app } = b.t
  for (const name of ['backup-password-tried:old', 'backup-password-tried:new', 'other:old'])
    await app.secrets.write(app.db, name, 'secret')
  await app.db.execute(sql`update secrets set created_at = now() - interval '6 minutes' where name like '%:old'`)
  expect(await dropTried(app)).toBe(1)
  expect([
    await app.secrets.read(app.db, 'backup-password-tried:new'),
    await app.secrets.read(app.db, 'other:old'),
  ]).toEqual(['secret', 'secret'])
})
