import { generateKeyPairSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secrets } from '../../kit/app/tables.ts'
import { claim, finish } from '../../kit/work/claim.ts'
import { actions } from '../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { readKey } from './key.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-sftp', { provisionedAt: new Date().toISOString(), address: '10.77.0.11' })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api/system-user/system-users${path}`, { token: admin, body })
const inputs: Record<string, unknown>[] = []
const door = { port: 2222, hostKeys: ['SHA256:abc (ED25519)'] }
async function carryOut(status: 'done' | 'failed' = 'done'): Promise<void> {
  for (;;) {
    const ops = [...(await claim(t.app.db, server, 'short', 5)), ...(await claim(t.app.db, server, 'long', 5))]
    if (!ops.length) return
    for (const op of ops) {
      inputs.push({ name: op.name, ...op.input })
      const output = op.name === 'sftp-access.ensure' ? door : {}
      await finish(t.app.db, server, [{ id: op.id, attempt: op.attempt, status, reason: 'as the test wants', output }])
    }
  }
}
async function account(username: string): Promise<number> {
  const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const { body } = await call('POST', '', { username, originServer: server, ownerId: owner!.id, planId: 1 })
  await carryOut()
  return body.data.id
}
async function open(username: string): Promise<number> {
  const id = await account(username)
  await call('PATCH', `/${id}/sftp`, { on: true })
  await carryOut()
  return id
}
const access = async (id: number) => (await call('GET', `/${id}/sftp`)).body
const stepsOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => `${name} ${input.state ?? ''}`.trim(),
  )
const lastInput = () => inputs.at(-1)

const string = (bytes: Buffer | string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(bytes))
  return Buffer.concat([length, Buffer.from(bytes)])
}
function ed25519(comment = 'kari@laptop'): string {
  const raw = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return `ssh-ed25519 ${Buffer.concat([string('ssh-ed25519'), string(raw)]).toString('base64')} ${comment}`
}
function rsa(bits: number): string {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
  const parts = [Buffer.from(e, 'base64url'), Buffer.concat([Buffer.from([0]), Buffer.from(n, 'base64url')])]
  return `ssh-rsa ${Buffer.concat([string('ssh-rsa'), ...parts.map(string)]).toString('base64')}`
}

describe('A public key', () => {
  it('is parsed with type, comment and the fingerprint of ssh-keygen', () => {
    const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl octocat@github.com'
    expect(readKey(line)).toMatchObject({
      type: 'ssh-ed25519',
      comment: 'octocat@github.com',
      fingerprint: 'SHA256:vquJBo6EvVfnHbyPmuwuOg4XGi4Cmti6ZX2fnFN0Ti0',
    })
    expect(readKey(rsa(2048)).type).toBe('ssh-rsa')
  })

  it.each([
    ['-----BEGIN OPENSSH PRIVATE KEY-----', /private key/],
    ['ssh-dss AAAAB3NzaC1kc3MAAACB', /DSA/],
    [`command="rm -rf /" ${ed25519()}`, /Begins with command=/],
    ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GK x', /cut off/],
    [ed25519().replace('ssh-ed25519', 'ssh-rsa'), /Says that it is ssh-rsa, and is ssh-ed25519/],
    [rsa(1024), /RSA key of 1024 bits/],
    ['ssh-ed25519 $(id) x', /not a public key/],
    ['hello', /Begins with hello/],
  ])('%s is refused beside its field', (text, why) => {
    let said: unknown
    try {
      readKey(text)
    } catch (error) {
      said = error
    }
    expect(said).toMatchObject({ status: 400, body: { fields: { key: expect.stringMatching(why) } } })
  })
})

describe('SFTP access of an account', () => {
  it('is off by default, and shows the address once its server has enabled it', async () => {
    const id = await account('opens')
    expect(await access(id)).toMatchObject({ state: 'off', keys: [], passwordSetAt: null, username: 'opens' })
    const { status, body } = await call('PATCH', `/${id}/sftp`, { on: true })
    expect([status, await stepsOf(body.workflowId)]).toEqual([
      202,
      ['packages.ensure', 'sftp.ensure', 'sftp-access.ensure active'],
    ])
    expect((await access(id)).state).toBe('enabling')
    await carryOut()
    expect(await access(id)).toMatchObject({ state: 'on', host: '10.77.0.11', ...door })
    expect((await call('PATCH', `/${id}/sftp`, { on: true })).status).toBe(422)
    expect((await call('PATCH', `/${id}/sftp`, { on: false, version: 1 })).status).toBe(409)
  })

  it('accepts each key once, with author and expiry', async () => {
    const id = await open('keys')
    const key = ed25519()
    const { status, body } = await call('POST', `/${id}/sftp/keys`, { key, expiresAt: '2999-01-02T03:04:05Z' })
    expect([status, body.data.keys[0].state]).toEqual([202, 'adding'])
    await carryOut()
    expect(lastInput()).toMatchObject({ keys: [{ type: 'ssh-ed25519', expires: '29990102030405Z' }] })
    expect((await access(id)).keys).toEqual([
      expect.objectContaining({ comment: 'kari@laptop', addedBy: expect.any(String), state: 'active' }),
    ])
    expect(await call('POST', `/${id}/sftp/keys`, { key: `${key} again` })).toMatchObject({
      status: 409,
      body: { fields: { key: 'Already exists' } },
    })
    const past = { key: ed25519(), expiresAt: '2020-01-01T00:00:00Z' }
    expect((await call('POST', `/${id}/sftp/keys`, past)).body.fields).toEqual({ expiresAt: 'Is past' })
  })

  it('deletes a key once its server has removed it, and keeps the key after a rollback', async () => {
    const id = await open('forgets')
    await call('POST', `/${id}/sftp/keys`, { key: ed25519() })
    await carryOut()
    const [key] = (await access(id)).keys
    const removal = await call('DELETE', `/${id}/sftp/keys/${key.id}`)
    await carryOut('failed')
    expect((await access(id)).keys).toMatchObject([{ state: 'removing' }])
    const { body } = await t.call('GET', `/api/workflows/${removal.body.workflowId}`, { token: admin })
    const path = `/api/workflows/${removal.body.workflowId}/actions/${body.actions[0].id}`
    await t.call('PATCH', path, { token: admin, body: { actionType: 'rollback' } })
    await carryOut()
    expect((await access(id)).keys).toMatchObject([{ state: 'active' }])
    await call('DELETE', `/${id}/sftp/keys/${key.id}`)
    await carryOut()
    expect(lastInput()).toMatchObject({ keys: [] })
    expect((await access(id)).keys).toEqual([])
    expect((await call('DELETE', `/${id}/sftp/keys/${key.id}`)).status).toBe(404)
  })

  it('answers a password once without storing it, and can remove it', async () => {
    const id = await open('password')
    const { status, body } = await call('POST', `/${id}/sftp/password`)
    expect([status, body.password]).toEqual([202, expect.stringMatching(/^[A-Za-z0-9]{24}$/)])
    const queued = await t.app.db.select().from(actions).where(eq(actions.workflowId, body.workflowId))
    expect(JSON.stringify(queued)).not.toContain(body.password)
    await carryOut()
    expect((await access(id)).passwordSetAt).toEqual(expect.any(String))
    expect(
      await t.app.db
        .select()
        .from(secrets)
        .where(eq(secrets.name, `sftp-password:${id}`)),
    ).toEqual([])
    await call('DELETE', `/${id}/sftp/password`)
    await carryOut()
    expect([lastInput()?.signInPassword, (await access(id)).passwordSetAt]).toEqual([null, null])
    expect((await call('DELETE', `/${id}/sftp/password`)).status).toBe(422)
  })

  it('is closed while its account is suspended, and reopened with the same keys', async () => {
    const id = await open('paused')
    await call('POST', `/${id}/sftp/keys`, { key: ed25519() })
    await carryOut()
    const suspended = await call('PATCH', `/${id}`, { status: 'suspended', reason: 'The bill' })
    expect(await stepsOf(suspended.body.workflowId)).toEqual(['sftp-access.ensure suspended'])
    await carryOut()
    expect((await access(id)).refused).toBe('The account paused is suspended: The bill')
    expect((await call('POST', `/${id}/sftp/password`)).status).toBe(422)
    await call('PATCH', `/${id}`, { status: 'active' })
    await carryOut()
    expect(lastInput()).toMatchObject({ state: 'active', keys: [{ type: 'ssh-ed25519' }] })
  })

  it('accepts no key while off', async () => {
    const id = await account('closed')
    expect((await call('POST', `/${id}/sftp/keys`, { key: ed25519() })).body.message).toContain('turn it on first')
    expect((await call('GET', '/999999/sftp')).status).toBe(404)
  })

  it('can be changed by one person at a time only', async () => {
    const id = await open('busy')
    await call('POST', `/${id}/sftp/keys`, { key: ed25519() })
    expect((await call('POST', `/${id}/sftp/keys`, { key: ed25519() })).status).toBe(409)
    await carryOut()
  })
})
