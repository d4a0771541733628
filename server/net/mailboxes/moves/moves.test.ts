import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { owners } from '../../../hosting/owners/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import { ownWork } from '../../../kit/work/action.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerReads, carryOutAll, enrolled } from '../../../test/work.ts'
import { certificates } from '../../ssl/tables.ts'
import { chainFor } from '../../ssl/test/chain.ts'
import { mailMoves } from '../tables.ts'
import { retireMoved } from './ends.ts'

let t: TestApp
let admin: string
let old: number
let next: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  old = await enrolled(t.app.db, 'mail-old', { type: 'mail' })
  next = await enrolled(t.app.db, 'mail-next', { type: 'mail' })
})
afterAll(() => t.close())

const box = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
  t.call(method, `/api/mailbox/mailboxes${path}`, { token: admin, body })
/** The order of servers in a move, which alternates between them. */
const inTurn = () => Array.from({ length: 16 }, (_, n) => (n % 2 ? next : old))
/** Runs all ready actions of both servers and of the worker. */
const carryOut = async () => {
  const taken: Record<string, unknown>[] = []
  for (const server of inTurn())
    await carryOutAll(t.app.db, server, ({ name, input }) => {
      if (name === 'mail-move.take-over') taken.push(input)
      return { output: outputs[name] ?? {} }
    })
  const work = {
    app: t.app,
    task: 'run' as const,
    signal: new AbortController().signal,
    say: () => {},
    fence: () => {},
  }
  for (const input of taken) await ownWork('mail-move.take-over')?.run(input, work)
}
const outputs: Record<string, object> = {
  'transfer.open': { port: 4000 },
  'mail-keys.pack': { sha256: 'ab'.repeat(32) },
  'mail-key.ensure': { publicKey: 'AAAA' },
}
const domain = async (name: string) => {
  const { body } = await box('POST', '', { domain: name, serverId: old })
  await carryOut()
  return body.data.id as number
}
const one = async (id: number) => (await box('GET', `/${id}`)).body
const begin = (id: number) => box('POST', `/${id}/move`, { serverId: next })
const ensures = (id: number) =>
  rows<{ server: number; moving: { phase: string } | null; relays: string[] | null }>(
    t.app.db,
    sql`select a.server_id as server, a.input -> 'moving' as moving, a.input -> 'relays' as relays from actions a
      join workflows w on w.workflow_id = a.workflow_id where w.kind = 'mailbox.move' and w.subject_id = ${id}
        and a.name = 'mail-domain.ensure' order by a.position`,
  )

it('A mail domain moves: held, taken over, forwarded; the former server is cleared once no name points to it', async () => {
  const id = await domain('moving.example')
  const check = await box('GET', `/${id}/move?serverId=${next}`)
  const { findings } = check.body
  expect(findings.filter(({ level }: { level: string }) => level === 'blocker')).toEqual([])
  const { status } = await begin(id)
  expect(status).toBe(202)
  expect((await begin(id)).status).toBe(422)
  await carryOut()
  expect(await ensures(id)).toMatchObject([
    { server: old, moving: { phase: 'held' } },
    { server: next, moving: null, relays: [expect.any(String)] },
    { server: old, moving: { phase: 'moved' } },
  ])
  expect(await one(id)).toMatchObject({
    serverName: 'mail-next',
    state: 'applied',
    move: { state: 'passing', fromName: 'mail-old' },
  })
  expect((await box('DELETE', `/${id}`)).status).toBe(422)
  await answerReads(t.app.db, old, () => ({ waiting: 2 }), retireMoved(t.app))
  expect((await one(id)).move.waitsFor).toBe('2 messages wait on mail-old')
  await t.app.db.update(mailMoves).set({ lookAt: '2026-01-01T00:00:00Z' })
  await answerReads(t.app.db, old, () => ({ waiting: 0 }), retireMoved(t.app))
  expect((await one(id)).move.waitsFor).toBeTruthy()
  const { body } = await box('POST', `/${id}/retire`)
  await carryOut()
  expect(
    await rows<{ name: string; server: number }>(
      t.app.db,
      sql`select name, server_id as server from actions where workflow_id = ${body.workflowId}`,
    ),
  ).toEqual([{ name: 'mail-domain.remove', server: old }])
  expect(await one(id)).toMatchObject({ move: null, serverName: 'mail-next', state: 'applied' })
})

it('The mail host has its certificate on the new server before names lead there', async () => {
  const web = await enrolled(t.app.db, 'mail-web', { provisionedAt: new Date().toISOString() })
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@sealed.example' }).returning()
  const wish = { originServer: web, domain: 'sealed.example', plan: 'Business', userId: kari!.id }
  const made = await t.call('POST', '/api/websites', { token: admin, body: wish })
  expect(made.body).toHaveProperty('data.id')
  const site = made.body.data.id
  await carryOutAll(t.app.db, web)
  const { leaf, middle } = await chainFor(['mail.sealed.example'])
  await t.app.secrets.write(t.app.db, 'test:sealed', leaf.key)
  await t.app.db.insert(certificates).values({
    ...{ websiteId: site, domain: 'sealed.example', kind: 'lets-encrypt', state: 'active', search: '' },
    ...{ names: ['mail.sealed.example'], fingerprint: 'ab', issuer: 'Tests', notAfter: '2999-01-01T00:00:00Z' },
    ...{
      chain: [leaf, middle].map(({ pem }) => `${pem.trim()}\n`).join(''),
      secret: 'test:sealed',
      autoRenew: true,
      vhostAliases: true,
    },
  })
  const { body } = await box('POST', '', { domain: 'sealed.example', websiteId: site, serverId: old })
  await carryOut()
  const begun = await begin(body.data.id)
  expect(begun).toMatchObject({ status: 202 })
  const { workflowId } = begun.body
  const steps = await rows<{ name: string; server: number | null }>(
    t.app.db,
    sql`select name, server_id as server from actions where workflow_id = ${workflowId} order by position`,
  )
  const at = (name: string) => steps.findIndex((one) => one.name === name)
  expect(steps[at('mail-tls.ensure')]).toMatchObject({ server: next })
  expect(at('mail-tls.ensure')).toBeGreaterThan(at('mail-queue.flush')) // a failure keeps no mail waiting
  expect(at('mail-tls.ensure')).toBeLessThan(at('transfer.close'))
  await carryOut()
  expect(await one(body.data.id)).toMatchObject({ serverName: 'mail-next', state: 'applied' })
})

it('A move that fails before the take-over reopens the domain on the old server', async () => {
  const id = await domain('returns.example')
  await begin(id)
  // the second copy fails while mail is queued
  let copies = 0
  for (const server of inTurn())
    await carryOutAll(t.app.db, server, ({ name, task }) =>
      name === 'mail-folder.pull' && task === 'run' && ++copies > 1
        ? { status: 'failed', reason: 'no' }
        : { output: outputs[name] ?? {} },
    )
  expect(await one(id)).toMatchObject({ serverName: 'mail-old', move: null, state: 'applied' })
  const [row] = await t.app.db.select().from(mailMoves).where(eq(mailMoves.mailboxId, id))
  expect(row?.state).toBe('rolled-back')
  expect((await begin(id)).status).toBe(202)
})

it('A former server that does not answer holds up no other', async () => {
  const silent = await enrolled(t.app.db, 'mail-silent', { type: 'mail' })
  const [first, second] = [await domain('silent.example'), await domain('heard.example')]
  await t.app.db.update(mailMoves).set({ state: 'done' })
  const row = { targetId: next, state: 'passing' } as const
  await t.app.db.insert(mailMoves).values([
    { ...row, mailboxId: first, sourceId: silent, lookAt: '2026-01-01T00:00:00Z' },
    { ...row, mailboxId: second, sourceId: old, lookAt: '2026-01-02T00:00:00Z' },
  ])
  const looked = retireMoved(t.app)
  let heard = false
  // the silent one answers after the other has been asked
  const hear = () => {
    heard = true
    return { waiting: 1 }
  }
  const answered = answerReads(t.app.db, old, hear, looked)
  await expect.poll(() => heard).toBe(true)
  await answerReads(t.app.db, silent, () => ({ waiting: 3 }), looked)
  await answered
  expect((await one(first)).move.waitsFor).toBe('3 messages wait on mail-silent')
  expect((await one(second)).move.waitsFor).toBe('1 messages wait on mail-old')
})
