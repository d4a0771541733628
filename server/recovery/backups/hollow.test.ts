import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good, openBackups } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
let id: number
beforeAll(async () => {
  b = await openBackups()
  id = await b.s.site('hollow.example', b.web)
})
afterAll(() => b.t.close())

const none = { ...good(1), bytes: 0, added: 0, files: 0 }
const backed = async () => (await b.s.call('GET', '/backups/overview')).body.backed

it('without any file is partial, and complete if the agent has reported an empty folder', async () => {
  const partial = await b.backUp(id, none)
  expect(partial).toMatchObject({ status: 4, error: 'hollow.example: no file was backed up' })
  expect(await backed()).toBe(0)
  expect(await b.backUp(id, { ...none, empty: true })).toMatchObject({ status: 2, error: null })
})

it('without settings that are too large for a backup is partial, and names them', async () => {
  b.outputs['backup-files.run'] = good(3)
  const { body } = await b.s.call('POST', '/backups/backups', { websiteId: id, backupServerId: b.backupServer })
  const path = sql`jsonb_set(configuration, '{tooLarge}', '["dns-record"]')`
  await b.t.app.db.execute(sql`update backups set configuration = ${path} where backup_id = ${body.data.id}`)
  await b.work()
  expect((await b.s.call('GET', `/backups/backups/${body.data.id}`)).body).toMatchObject({
    ...{ status: 4, error: 'hollow.example: too large for a backup: dns-record' },
  })
})

it('that an earlier version called good becomes partial with a notification, and loses its proof', async () => {
  const db = b.t.app.db
  const whole = await b.backUp(id, good(2))
  await db.execute(sql`update backups set status = 2, error = null, proven_at = now(), parts = (select jsonb_agg(
      p - 'empty' || '{"problem": null, "files": 0}') from jsonb_array_elements(parts) p where p ->> 'resource' = 'website') where backup_id < ${whole.id}`)
  expect(await backed()).toBe(1)
  const text = await readFile(new URL('../../migrations/0072_backups_without_files.sql', import.meta.url), 'utf8')
  await db.execute(sql.raw(text))
  const [[first, ...others]] = (await b.s.call('GET', `/backups/backups?websiteId=${id}`)).body
  expect(first).toMatchObject({ id: whole.id, status: 2, error: null })
  for (const other of others)
    expect(other).toMatchObject({
      ...{ status: 4, provenAt: null, error: expect.stringContaining('Back it up again') },
      parts: [{ problem: expect.stringContaining('no file was kept') }],
    })
  // its task says so, too
  const tasks = async () => (await b.s.call('GET', `/backups/tasks?websiteId=${id}&type=backup`)).body[0]
  await db.execute(sql`update backup_tasks set status = 'done', message = null`)
  const later = await readFile(new URL('../../migrations/0082_restored_mail.sql', import.meta.url), 'utf8')
  await db.execute(sql.raw(later.split('--> statement-breakpoint')[1] ?? ''))
  for (const { backupId, status, message } of await tasks())
    expect({ status, message }).toEqual(
      backupId === whole.id
        ? { status: 'done', message: null }
        : { status: 'failed', message: expect.stringContaining('no file was kept') },
    )
  await db.execute(sql.raw(text))
  expect((await b.s.call('GET', `/backups/backups/${others[0].id}`)).body.version).toBe(others[0].version)
})
