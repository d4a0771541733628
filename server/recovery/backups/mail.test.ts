import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { enrolled, hearAlways } from '../../test/work.ts'
import { giveUpLost } from './runs/lost.ts'
import { good, openBackups } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
let first: number
let next: number
let site: number
let box: number
let kari: number
let lars: number
let backup: number
beforeAll(async () => {
  b = await openBackups()
  first = await enrolled(b.t.app.db, 'mail-1', { type: 'mail' })
  next = await enrolled(b.t.app.db, 'mail-2', { type: 'mail' })
  await hearAlways(b.t.app.db)
  site = await b.s.site('shop.example', b.web)
  box = await domain('shop.example', site)
  kari = await mailbox(box, 'kari')
  lars = await mailbox(box, 'lars')
  b.outputs['backup-mail.run'] = {
    ...good(0xaa),
    mailboxes: [
      { userId: kari, localPart: 'kari', messages: 7, bytes: 1500 },
      { userId: lars, localPart: 'lars', messages: 2, bytes: 500 },
    ],
  }
  b.outputs['restore-mail.merge'] = { messages: 4, present: 3, left: 0 }
  backup = (await b.backUp(site, good(1))).id
})
afterAll(() => b.t.close())

async function domain(name: string, websiteId?: number): Promise<number> {
  const wanted = { domain: name, serverId: first, again: true, ...(websiteId && { websiteId }) }
  const { body } = await b.s.call('POST', '/mailbox/mailboxes', wanted)
  await b.work()
  return body.data.id
}
async function mailbox(id: number, localPart: string): Promise<number> {
  const { body } = await b.s.call('POST', `/mailbox/mailboxes/${id}/users`, { localPart, again: true })
  await b.work()
  return body.data.id
}
const preview = async (id = backup, websiteId = site) =>
  (await b.s.call('GET', `/backups/backups/${id}/restore?websiteId=${websiteId}`)).body.mail
const restore = (more: object, id = backup) =>
  b.s.call('POST', '/backups/restores', { backupId: id, paths: [], databases: [], scope: 'server only', ...more })
const actionsOf = (workflowId: number) =>
  rows<{ name: string; server: number; input: Record<string, unknown> }>(
    b.t.app.db,
    sql`select name, server_id as server, input from actions where workflow_id = ${workflowId} order by position`,
  )
const hear = (server: number, seen: string) =>
  b.t.app.db.execute(sql`update server_states set last_seen_at = ${seen} where server_id = ${server}`)

it('is a snapshot of its own, read on the mail server; away, the backup is partial and says why', async () => {
  const { body } = await b.s.call('GET', `/backups/backups/${backup}`)
  expect(body).toMatchObject({
    status: 2,
    parts: expect.arrayContaining([expect.objectContaining({ resource: 'mail', name: 'shop.example' })]),
  })
  const run = (await actionsOf(body.workflowId)).find(({ name }) => name === 'backup-mail.run')
  expect(run).toMatchObject({ server: first, input: { mailboxId: box, account: `server-${b.web}` } })
  await hear(first, '2020-01-01')
  const partial = await b.backUp(site, good(2))
  expect(partial).toMatchObject({
    status: 4,
    error: expect.stringContaining('shop.example: the mail server mail-1 has not been heard from'),
  })
  expect((await preview())[0].closed).toContain('mail-1 has not been heard from')
  expect((await restore({ mail: [{ mailboxId: box }] })).status).toBe(422)
  await hear(first, '2999-01-01')
  b.outputs['backup-files.run'] = good(3)
  const failed = await b.backUp(site, good(3), { fails: 'backup-mail.run' })
  expect(failed).toMatchObject({ status: 4, error: expect.stringContaining('the disk is full') })
})

it('is left out of a backup during which its mail server is lost; without the server of the website the backup fails', async () => {
  const start = async () => {
    const path = '/backups/backups'
    const { body } = await b.s.call('POST', path, { websiteId: site, backupServerId: b.backupServer })
    await b.t.app.db.execute(
      sql`update workflows set started_at = now() - interval '2 hours' where workflow_id = ${body.workflowId}`,
    )
    return async () => (await b.s.call('GET', `${path}/${body.data.id}`)).body
  }
  const away = sql`now() - interval '61 minutes'`
  const lose = (server: number, seen = away) =>
    b.t.app.db.execute(sql`update server_states set last_seen_at = ${seen} where server_id = ${server}`)
  b.outputs['backup-files.run'] = good(4)
  const one = await start()
  await b.work(undefined, '', 'backup-mail.run')
  const look = () => giveUpLost(b.t.app, 0)
  await look()
  await lose(first)
  await look() // Innkeeper itself may have been away
  await hear(first, '2999-01-01')
  await look()
  await lose(first)
  await look()
  expect(await one()).toMatchObject({ endedAt: null })
  await look()
  expect(await one()).toMatchObject({
    status: 4,
    error: expect.stringMatching(/^shop.example: mail-1 has not been heard from since/),
    parts: expect.arrayContaining([expect.objectContaining({ resource: 'mail', snapshot: null })]),
  })
  await hear(first, '2999-01-01')
  const other = await start()
  await b.work(undefined, '', 'backup-files.run')
  await lose(b.web)
  for (let n = 0; n < 4; n++) {
    await look() // fails, and its undo waits for nobody
    await b.work()
  }
  expect(await other()).toMatchObject({
    status: 3,
    error: expect.stringContaining('web-1 has not been heard from since'),
  })
  const open = sql`select kind, status from workflows where kind = 'backup.run' and ended_at is null`
  expect(await rows(b.t.app.db, open)).toEqual([])
  await hear(b.web, '2999-01-01')
})

it('is restored into one or all of its mailboxes, on their present server, while the website stays open', async () => {
  expect(await preview()).toMatchObject([
    {
      id: box,
      closed: null,
      serverName: 'mail-1',
      mailboxes: [{ address: 'kari@shop.example', into: kari, messages: 7 }, { into: lars }],
    },
  ])
  await b.t.app.db.execute(sql`update mailboxes set server_id = ${next} where mailbox_id = ${box}`)
  const { status, body } = await restore({ mail: [{ mailboxId: box, users: [kari] }] })
  expect(status).toBe(202)
  await b.work()
  const made = await actionsOf(body.workflowId)
  expect(made.map(({ name }) => name)).toEqual(['backup-program.ensure', 'restore-mail.prepare', 'restore-mail.merge'])
  expect(made[1]).toMatchObject({ server: next, input: { bytes: 1500, users: [{ userId: kari, from: kari }] } })
  expect((await b.s.call('GET', `/backups/tasks/restores/${body.data.id}`)).body).toMatchObject({
    result: 'success',
    mail: [{ mailboxId: box, users: [kari] }],
  })
  const [items] = (await b.s.call('GET', `/backups/tasks/restores/${body.data.id}/mail`)).body
  expect(items).toMatchObject([
    { name: 'shop.example', result: 'success', message: '4 messages came back, 3 were there' },
  ])
  // with the files: fetched before the website closes, added after it has opened
  const both = await b.s.call('POST', '/backups/restores', { backupId: backup, mail: [{ mailboxId: box }] })
  await b.work()
  const names = (await actionsOf(both.body.workflowId)).map(({ name }) => name)
  expect(names.indexOf('restore-mail.prepare')).toBeLessThan(names.indexOf('restore-files.swap'))
  expect(names.indexOf('restore-mail.merge')).toBeGreaterThan(names.indexOf('restore-files.swap'))
})

it('of a deleted mailbox is left out and named; a mailbox of the same address receives it', async () => {
  const { body: user } = await b.s.call('GET', `/mailbox/users/${lars}`)
  await b.s.call('DELETE', `/mailbox/users/${lars}`, { version: user.version })
  await b.work()
  const { body } = await restore({ mail: [{ mailboxId: box }] })
  await b.work()
  const [items] = (await b.s.call('GET', `/backups/tasks/restores/${body.data.id}/mail`)).body
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'lars@shop.example', result: 'failed', message: 'The mailbox was deleted' }),
    ]),
  )
  expect((await b.s.call('GET', `/backups/tasks/restores/${body.data.id}`)).body.result).toBe('partial')
  const alone = await restore({ mail: [{ mailboxId: box, users: [lars] }] })
  expect(alone).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('lars@shop.example was deleted') },
  })
  const { body: made } = await b.s.call('POST', `/mailbox/mailboxes/${box}/users`, { localPart: 'lars', again: true })
  await b.work()
  expect((await preview())[0].mailboxes[1]).toMatchObject({ id: lars, into: made.data.id })
})

it('is restored into its own domain only: another website, a new website, and a deleted or moving domain are refused with the reason', async () => {
  const other = await b.s.site('other.example', b.web)
  expect((await preview(backup, other))[0].closed).toBe(
    'shop.example belongs to shop.example: its mail is restored with that',
  )
  const asNew = { backupId: backup, domain: 'copy.example', originServer: b.web, mail: [{ mailboxId: box }] }
  const refused = await b.s.call('POST', '/backups/restores', asNew)
  expect(refused).toMatchObject({ status: 422, body: { fields: { mail: 'Restore it later' } } })
  await b.t.app.db.execute(
    sql`insert into mail_moves (mailbox_id, source_id, target_id, state) values (${box}, ${first}, ${next}, 'moving')`,
  )
  expect((await preview())[0].closed).toContain('is moving to mail-2')
  await b.t.app.db.execute(sql`delete from mail_moves`)
  await b.t.app.db.execute(sql`update mailboxes set deleted_at = now() where mailbox_id = ${box}`)
  await b.t.app.db.execute(sql`update mailbox_users set deleted_at = now() where mailbox_id = ${box}`)
  expect((await preview())[0].closed).toContain('create it with its mailboxes')
  const again = await domain('shop.example', site)
  const anew = await mailbox(again, 'kari')
  expect((await preview())[0]).toMatchObject({ closed: null, mailboxes: [{ id: kari, into: anew }, { into: null }] })
})
