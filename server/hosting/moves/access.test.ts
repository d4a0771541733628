import { generateKeyPairSync } from 'node:crypto'
import { MOST_KEYS } from '@innkeeper/contract/hosting/sftp'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../owners/tables.ts'
import { sftpKeys } from '../sftp/tables.ts'
import { websites } from '../websites/tables.ts'
import { migrations } from './tables.ts'
import {
  answer,
  asked,
  bergen,
  call,
  closeMoves,
  comesTo,
  move,
  openMoves,
  oslo,
  site,
  t,
  until,
  update,
  website,
} from './test/moves.ts'

beforeAll(openMoves)
afterAll(closeMoves)

describe('SFTP access of the account', () => {
  const sftp = (account: number) => `/system-user/system-users/${account}/sftp`
  const access = async (account: number) => (await call('GET', sftp(account))).body
  const idle = (account: number) =>
    until(async () => {
      const { state, keys } = await access(account)
      return state === 'on' && keys.every((key: { state: string }) => key.state === 'active')
    })
  const addKey = async (account: number, key: string) => {
    await call('POST', `${sftp(account)}/keys`, { key })
    await idle(account)
  }
  const comments = async (account: number) =>
    (await access(account)).keys.map(({ comment }: { comment: string }) => comment)
  /** Creates a website of a new owner, with SFTP access by one key. */
  async function letIn(domain: string) {
    const [person] = await t.app.db
      .insert(owners)
      .values({ name: domain, email: `post@${domain}` })
      .returning()
    const id = await site(domain, person!.id)
    const account: number = (await website(id)).systemUserId
    await call('PATCH', sftp(account), { on: true })
    await idle(account)
    await addKey(account, keyOf('kari@laptop'))
    return { id, account, person: person!.id }
  }
  const opened = () =>
    asked.flatMap(({ name, task, server, input }) =>
      name === 'sftp-access.ensure' && input.state === 'active'
        ? [{ server, task, keys: (input.keys as unknown[]).length }]
        : [],
    )

  it('moves with its keys, and the preview warns that the password does not move', async () => {
    const { id, account } = await letIn('access.example')
    await call('POST', `${sftp(account)}/password`)
    await until(async () => (await access(account)).passwordSetAt !== null)
    const { findings } = (await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)).body
    const isSftp = ({ key }: { key: string }) => key === 'sftp'
    expect(findings.filter(isSftp)).toMatchObject([
      { level: 'ok', text: expect.stringMatching(/^1 key moves to \w+ on bergen-1$/) },
      { level: 'warning', text: 'The SFTP password must be set again on bergen-1' },
    ])
    asked.length = 0
    const gate = Promise.withResolvers<unknown>()
    answer({ 'transfer.open': gate.promise })
    const { id: moved } = await move(id)
    // during the move the access cannot be changed on either server
    expect((await call('PATCH', sftp(account), { on: false })).status).toBe(409)
    gate.resolve({ port: 1 })
    answer({})
    const done = await comesTo(moved, 'soaking')
    // the preflight runs again as the first action
    expect(done.findings).toEqual(expect.arrayContaining(findings.filter(isSftp)))
    expect(done.report).toContainEqual(expect.objectContaining({ type: 'sftp', detail: 'lets in 1 key' }))
    expect(opened()).toEqual([{ server: bergen, task: 'run', keys: 1 }])
    // from the freeze on, nobody can upload to the old server, where the upload would be lost
    const order = asked.map(
      ({ server, name, input }) => `${server === oslo} ${name} ${input.state ?? input.mode ?? ''}`,
    )
    const closed = order.indexOf('true sftp-access.ensure suspended')
    expect(closed).toBeGreaterThan(order.indexOf('true nginx-site.ensure moving'))
    expect(closed).toBeLessThan(order.indexOf('false transfer.pull delta'))
    const { systemUserId } = await website(id)
    expect(await access(systemUserId)).toMatchObject({
      state: 'on',
      passwordSetAt: null,
      keys: [{ comment: 'kari@laptop', addedBy: expect.any(String), state: 'active' }],
    })
    expect(await comments(account)).toEqual(['kari@laptop'])
    await update(moved, 'retire')
    await comesTo(moved, 'done')
    expect((await call('GET', sftp(account))).status).toBe(404)
  })

  it('is removed again when the move is rolled back', async () => {
    const { id, account } = await letIn('taken-back.example')
    answer({ 'transfer.pull': 'connection reset' })
    const { id: moved } = await move(id)
    await comesTo(moved, 'failed')
    answer({})
    const [noted] = await t.app.db
      .select({ target: migrations.targetUserId })
      .from(migrations)
      .where(eq(migrations.id, moved))
    const target = noted!.target!
    expect(await access(target)).toMatchObject({ state: 'enabling', keys: [{ state: 'adding' }] })
    asked.length = 0
    await update(moved, 'rollback')
    await comesTo(moved, 'rolled-back')
    expect(opened()).toEqual([{ server: bergen, task: 'undo', keys: 1 }])
    const left = await t.app.db.select().from(sftpKeys).where(eq(sftpKeys.systemUserId, target))
    expect(left).toEqual([])
    expect(await access(account)).toMatchObject({ state: 'on', keys: [{ comment: 'kari@laptop', state: 'active' }] })
  })

  it('merges with the access of the target account, which keeps its password and gets each key once; also when the move is rolled back', async () => {
    const { id, account, person } = await letIn('joins.example')
    const shared = keyOf('shared')
    await addKey(account, shared)
    const { body } = await call('POST', '/system-user/system-users', {
      ...{ username: 'joinsthere', originServer: bergen, ownerId: person },
      planId: (await website(id)).planId,
    })
    const there: number = body.data.id
    await until(async () => (await call('GET', `/system-user/system-users/${there}`)).body.status === 'active')
    await call('PATCH', sftp(there), { on: true })
    await idle(there)
    await addKey(there, shared)
    await call('POST', `${sftp(there)}/password`)
    await until(async () => (await access(there)).passwordSetAt !== null)
    const { passwordSetAt } = await access(there)
    asked.length = 0
    const { id: moved } = await move(id, { targetAccountId: there })
    await comesTo(moved, 'soaking')
    expect((await website(id)).systemUserId).toBe(there)
    expect(opened()).toEqual([{ server: bergen, task: 'run', keys: 2 }])
    expect(asked.find(({ name }) => name === 'sftp-access.ensure')?.input).not.toHaveProperty('signInPassword')
    expect(await comments(there)).toEqual(['shared', 'kari@laptop'])
    expect((await access(there)).passwordSetAt).toBe(passwordSetAt)

    await addKey(there, keyOf('new@bergen'))
    asked.length = 0
    const { body: back } = await update(moved, 'rollback')
    await comesTo(back.id, 'soaking')
    expect(opened()).toEqual([{ server: oslo, task: 'run', keys: 3 }])
    expect(await comments(account)).toEqual(['kari@laptop', 'shared', 'new@bergen'])
    expect((await access(account)).state).toBe('on')
  })

  it('closes an account that other websites use only until the folder of the moved website is closed', async () => {
    const { id, account, person } = await letIn('shares.example')
    const { planId } = await website(id)
    const { username } = (await call('GET', `/system-user/system-users/${account}`)).body
    const other = await call('POST', '/websites', {
      ...{ domain: 'stays.example', originServer: oslo, userId: person, plan: planId, systemUser: username },
    })
    await until(async () => (await website(other.body.data.id)).status === 'active')
    const { findings, actions } = (await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)).body
    expect(findings).toContainEqual(expect.objectContaining({ title: 'SFTP sessions', level: 'warning' }))
    expect(actions.filter(({ title }: { title: string }) => title === 'SFTP access').map(phaseIn)).toEqual([
      ...['prepare', 'freeze', 'proxy'],
    ])
    asked.length = 0
    const { id: moved } = await move(id)
    const { report } = await comesTo(moved, 'soaking')
    const order = asked.filter(({ server }) => server === oslo).map(({ name, input }) => `${name} ${input.state ?? ''}`)
    expect(order.filter((one) => /^(sftp-access|document-root)/.test(one))).toEqual([
      ...['sftp-access.ensure suspended', 'document-root.close closed', 'sftp-access.ensure active'],
    ])
    expect(order.indexOf('sftp-access.ensure suspended')).toBeLessThan(order.indexOf('transfer.close '))
    expect(report.map(({ detail }: { detail: string }) => detail)).toContain(
      'is open on the old server for other websites, not for the files of this one',
    )
    expect((await access(account)).refused).toBe(null)
    await addKey(account, keyOf('of the others'))
    asked.length = 0
    const { body: back } = await update(moved, 'rollback')
    await comesTo(back.id, 'soaking')
    const opens = asked
      .filter(({ name }) => name === 'document-root.close')
      .map(({ server, input }) => [server, input.state])
    expect(opens).toEqual([
      [oslo, 'open'],
      [bergen, 'closed'],
    ])
  })

  it('cannot be changed for what a move left on the old server; a key that ended on the new one does not come back', async () => {
    const { id, account } = await letIn('leaves.example')
    await addKey(account, keyOf('gone by then'))
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    const { refused } = await access(account)
    expect(refused).toContain('leaves.example has moved: change the SFTP access of')
    asked.length = 0
    const [stale] = (await access(account)).keys
    for (const { status, body } of [
      await call('POST', `${sftp(account)}/keys`, { key: keyOf('late') }),
      await call('DELETE', `${sftp(account)}/keys/${stale.id}`),
      await call('POST', `${sftp(account)}/password`),
      await call('PATCH', sftp(account), { on: false }),
    ])
      expect({ status, message: body.message }).toEqual({ status: 409, message: refused })
    expect((await call('DELETE', `/system-user/system-users/${account}`)).status).toBe(409)
    for (const [status, reason] of [['suspended', 'unpaid'], ['active']]) {
      await call('PATCH', `/system-user/system-users/${account}`, { status, reason })
      await until(async () => (await call('GET', `/system-user/system-users/${account}`)).body.status === status)
    }
    expect(asked.filter(({ name }) => name === 'sftp-access.ensure')).toEqual([])
    const { systemUserId: there } = await website(id)
    const going = (await access(there)).keys.find(({ comment }: { comment: string }) => comment === 'gone by then')
    await call('DELETE', `${sftp(there)}/keys/${going.id}`)
    await until(async () => (await access(there)).keys.length === 1)
    asked.length = 0
    const { body: back } = await update(moved, 'rollback')
    await comesTo(back.id, 'soaking')
    expect(opened()).toEqual([{ server: oslo, task: 'run', keys: 1 }])
    expect(await comments(account)).toEqual(['kari@laptop'])
    expect((await access(account)).refused).toBe(null)
  })

  it('is rolled back under its new name: what is left on the old server gets that name first, and the old one again on undo', async () => {
    const { id } = await letIn('called.example')
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    const there = await website(id)
    const documentRoot = there.documentRoot.replace('called.example', 'renamed.example')
    await t.app.db.update(websites).set({ domain: 'renamed.example', documentRoot }).where(eq(websites.id, id))
    asked.length = 0
    answer({ 'transfer.verify': 'a file differs' })
    const failing = await update(moved, 'rollback')
    expect(failing.status).toBe(202)
    await comesTo(failing.body.id, 'rolled-back')
    const done = (server: number) =>
      asked.flatMap(({ server: at, name, task, input }) =>
        at === server && /rename|unlink|root\.close|root\.ensure|-site\.ensure/.test(name)
          ? [[task, name, input.domain, input.newDomain ?? input.from ?? input.state]]
          : [],
      )
    const there1 = [
      ['run', 'document-root.close', 'called.example', 'open'],
      ['run', 'document-root.rename', 'called.example', 'renamed.example'],
      ['run', 'nginx-site.rename', 'renamed.example', 'called.example'],
      ['run', 'document-root.unlink', 'called.example', undefined],
      ['run', 'document-root.ensure', 'renamed.example', undefined],
    ]
    const undone = there1.toReversed().map(([, ...rest]) => ['undo', ...rest])
    expect(done(oslo)).toEqual([...there1, ...undone])
    answer({})
    asked.length = 0
    const { body: back } = await update(moved, 'rollback')
    await comesTo(back.id, 'soaking')
    expect(done(oslo)).toEqual([...there1, ['run', 'nginx-site.ensure', 'renamed.example', 'active']])
    const renamed = asked.find(({ name }) => name === 'nginx-site.rename')
    expect(renamed?.input).toMatchObject({
      state: 'moved',
      movedTo: '10.0.0.2',
      beforeRoot: expect.stringContaining('/called.example/'),
    })
    expect(await website(id)).toMatchObject({
      serverName: 'oslo-1',
      documentRoot: expect.stringContaining('/renamed.example/public'),
    })
    asked.length = 0
    await update(back.id, 'retire')
    await comesTo(back.id, 'done')
    expect(new Set(asked.filter(({ server }) => server === bergen).flatMap(({ input }) => input.domain ?? []))).toEqual(
      new Set(['renamed.example']),
    )
  })

  it('stays off if it was off; the preview reports too many keys', async () => {
    const { id, account } = await letIn('many.example')
    const { planId, ownerId } = await website(id)
    const { body } = await call('POST', '/system-user/system-users', {
      ...{ username: 'manythere', originServer: bergen, ownerId, planId },
    })
    await until(async () => (await call('GET', `/system-user/system-users/${body.data.id}`)).body.status === 'active')
    await t.app.db.insert(sftpKeys).values(
      Array.from({ length: MOST_KEYS }, (_, i) => ({
        ...{ systemUserId: body.data.id, type: 'ssh-ed25519', body: `AAAA${i}`, fingerprint: `SHA256:${i}` },
        ...{ comment: '', addedBy: 'Kari', state: 'active' as const },
      })),
    )
    const into = { targetAccountId: body.data.id }
    expect((await move(id, into)).body.message).toContain(`would have ${MOST_KEYS + 1} keys`)
    await call('PATCH', sftp(account), { on: false })
    await until(async () => (await access(account)).state === 'off')
    asked.length = 0
    const { id: moved } = await move(id, into)
    await comesTo(moved, 'soaking')
    expect(opened()).toEqual([])
    expect((await access(body.data.id)).state).toBe('off')
  })
})

const phaseIn = ({ phase }: { phase: string }) => phase

/** A new ed25519 key in the format of its .pub file. */
function keyOf(comment: string): string {
  const raw = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)])
  return `ssh-ed25519 ${blob.toString('base64')} ${comment}`
}
