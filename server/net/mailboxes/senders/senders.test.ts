import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../../hosting/owners/tables.ts'
import { systemUsers } from '../../../hosting/systemUsers/tables.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerReads, enrolled } from '../../../test/work.ts'
import { readReports } from '../reports/readReports.ts'
import { mailboxes, mailboxUsers, mailMoves } from '../tables.ts'
import { limitsOn, markOf } from './limits.ts'
import { readSenders } from './readSenders.ts'

let t: TestApp
let admin: string
let mail: number
let domain: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  mail = await enrolled(t.app.db, 'mail-1', { type: 'mail' })
  const [made] = await t.app.db
    .insert(mailboxes)
    .values({ domain: 'one.example', serverId: mail, state: 'applied' })
    .returning()
  domain = made!.id
  const all = { mailboxId: domain, quotaMb: 100 }
  await t.app.db.insert(mailboxUsers).values([
    { ...all, localPart: 'kari', address: 'kari@one.example', hourlyLimit: 50 },
    { ...all, localPart: 'lars', address: 'lars@one.example' },
  ])
  await t.app.db.execute(sql`update server_states set last_seen_at = now() + interval '1 hour',
    services = '[{"name": "postfix", "state": "active"}]'::jsonb`)
})
afterAll(() => t.close())

interface Told {
  sender: string
  hour: number
  day: number
  refused?: number
  stopped?: { at: string; tried: number }
}
/** Lets the mail server answer these senders. Answers the operations that the server got. */
async function tell(senders: Told[], mark = 'another') {
  await t.app.db.execute(sql`update mail_sender_reads set read_at = now() - interval '1 minute'`)
  const asked: { name: string; input: unknown }[] = []
  const answer = ({ name, input }: { name: string; input: unknown }) => {
    asked.push({ name, input })
    return name === 'mail-senders.read'
      ? { mark, senders: senders.map((one) => ({ refused: 0, ...one })) }
      : { mark, queued: 0 }
  }
  expect(await answerReads(t.app.db, mail, answer, readSenders(t.app))).toBe(1)
  return asked
}
const list = async (query = '') => (await t.call('GET', `/api/mailbox/senders${query}`, { token: admin })).body
const noticesOf = async () =>
  (await rows<{ title: string }>(t.app.db, sql`select title from notifications`)).map(({ title }) => title)

describe('Outgoing mail', () => {
  it('brings a server the limits of the plans until it has them', async () => {
    const limits = await limitsOn(t.app.db, mail)
    const asked = await tell([])
    expect(asked).toEqual([
      { name: 'mail-senders.read', input: {} },
      {
        name: 'mail-limits.ensure',
        input: { accounts: [], others: { own: 200, together: 1000 }, domains: [{ domain: 'one.example' }] },
      },
    ])
    expect(await tell([], markOf(limits))).toHaveLength(1)
  })

  it('tells a server whose the accounts and the mail domains are, also while it passes mail on', async () => {
    const other = await enrolled(t.app.db, 'mail-2', { type: 'mail' })
    const whose = async () => {
      const { accounts, domains } = await limitsOn(t.app.db, other)
      return [...accounts.map(({ username, ownerId }) => ({ username, ownerId })), domains]
    }
    const owner = await t.app.db.insert(owners).values({ name: 'Nora', email: 'nora@two.example' }).returning()
    const ownerId = owner[0]!.id
    const account = { username: 'nora', serverId: other, ownerId, planId: 2, homeDir: '/home/nora', shell: '/bin/sh' }
    const [user] = await t.app.db.insert(systemUsers).values(account).returning()
    const of = { serverId: other, ownerId, planId: 2, systemUserId: user!.id }
    const site = { ...of, domain: 'two.example', status: 'active' as const, documentRoot: '/', phpVersion: '8.2' }
    const [website] = await t.app.db.insert(websites).values(site).returning()
    const [two] = await t.app.db
      .insert(mailboxes)
      .values({ domain: 'two.example', serverId: other, state: 'applied' })
      .returning()
    // the website of the same name tells whose it is, as long as none is named
    expect(await whose()).toEqual([{ username: 'nora', ownerId }, [{ domain: 'two.example', ownerId }]])
    await t.app.db
      .update(mailboxes)
      .set({ websiteId: website!.id, domain: 'mail.two.example' })
      .where(eq(mailboxes.id, two!.id))
    expect(await whose()).toEqual([{ username: 'nora', ownerId }, [{ domain: 'mail.two.example', ownerId }]])
    const move = { mailboxId: two!.id, sourceId: other, targetId: mail, state: 'passing' as const }
    const [moved] = await t.app.db.insert(mailMoves).values(move).returning()
    await t.app.db.update(mailboxes).set({ serverId: mail }).where(eq(mailboxes.id, two!.id))
    expect(await whose()).toEqual([{ username: 'nora', ownerId }, [{ domain: 'mail.two.example', ownerId }]])
    await t.app.db.update(mailMoves).set({ state: 'done' }).where(eq(mailMoves.id, moved!.id))
    // no program of the former server, or of any other one, sends as the domain of somebody else
    expect(await whose()).toEqual([{ username: 'nora', ownerId }, [{ domain: 'mail.two.example', ownerId }]])
    // a domain elsewhere without a known owner is nobody's to refuse: one.example
    await t.app.db.update(mailboxes).set({ websiteId: null, domain: 'three.example' }).where(eq(mailboxes.id, two!.id))
    expect(await whose()).toEqual([{ username: 'nora', ownerId }, []])
    await t.app.db.delete(mailMoves)
    await t.app.db.delete(mailboxes).where(eq(mailboxes.id, two!.id))
  })

  it('lists who sends most, with the limit of each; a sender of yesterday leaves the list', async () => {
    const mark = markOf(await limitsOn(t.app.db, mail))
    await tell(
      [
        { sender: 'kari@one.example', hour: 3, day: 9 },
        { sender: 'lars@one.example', hour: 1, day: 20 },
      ],
      mark,
    )
    const { items } = await list()
    expect(items).toMatchObject([
      { sender: 'lars@one.example', limit: 200, day: 20, stoppedAt: null },
      { sender: 'kari@one.example', limit: 50, hour: 3 },
    ])
    await tell([{ sender: 'kari@one.example', hour: 3, day: 9 }], mark)
    expect((await list('?search=lars')).total).toBe(0)
  })

  it('tells once that a limit was reached, holds the queue of a stopped sender, and lifts the stop', async () => {
    const mark = markOf(await limitsOn(t.app.db, mail))
    const full = { sender: 'kari@one.example', hour: 55, day: 55 }
    for (const _ of [1, 2]) expect(await tell([full], mark)).toHaveLength(1)
    expect((await noticesOf()).filter((title) => title.includes('reached its limit'))).toHaveLength(1)
    const stopped = { ...full, refused: 90, stopped: { at: '2026-11-28T10:00:00.000Z', tried: 145 } }
    expect((await tell([stopped], mark)).at(-1)).toEqual({
      name: 'mail-sender.act',
      input: { sender: 'kari@one.example', act: 'hold' },
    })
    expect(await tell([stopped], mark)).toHaveLength(1) // held once
    expect((await noticesOf()).filter((title) => title.includes('was stopped'))).toHaveLength(1)
    const [row] = (await list('?stopped=yes')).items
    expect(row).toMatchObject({ sender: 'kari@one.example', tried: 145, held: true })
    const stoppedAt = async () =>
      (await t.call('GET', '/api/mailbox/users?search=kari@one', { token: admin })).body.items[0].stoppedAt
    expect(await stoppedAt()).toBe(stopped.stopped.at)
    const lift = () => t.call('POST', `/api/mailbox/senders/${row.id}/lift`, { token: admin, body: { held: 'delete' } })
    const acts: unknown[] = []
    const answer = ({ input }: { input: unknown }) => {
      acts.push(input)
      return { queued: 1 }
    }
    expect((await answerReads(t.app.db, mail, answer, lift())).status).toBe(204)
    expect(acts).toEqual([{ sender: 'kari@one.example', act: 'delete' }])
    expect((await list('?stopped=yes')).total).toBe(0)
    expect(await stoppedAt()).toBeNull()
    expect((await lift()).status).toBe(422)
  })

  it('stores reports of other servers once, and none about domains that are elsewhere', async () => {
    const report = {
      ...{ kind: 'dmarc', domain: 'one.example', organisation: 'Far', reportId: '7', passed: 5, failed: 2 },
      ...{ from: '2026-11-27T00:00:00.000Z', until: '2026-11-28T00:00:00.000Z' },
      sources: [{ source: '192.0.2.7', passed: 5, failed: 2, why: 'none' }],
    }
    const elsewhere = { ...report, domain: 'other.example' }
    const asked: unknown[] = []
    const answer = ({ input }: { input: Record<string, unknown> }) => {
      asked.push(input)
      const reports = [
        { file: '1-1', domain: 'one.example', report },
        { file: '2-1', domain: 'one.example', report },
        { file: '3-1', domain: 'other.example', report: elsewhere },
      ]
      return { reports: (input.taken as string[]).length ? [] : reports, others: [], more: false }
    }
    expect(await answerReads(t.app.db, mail, answer, readReports(t.app))).toBe(1)
    expect(asked).toEqual([{ taken: [] }, { taken: ['1-1', '2-1', '3-1'] }])
    const { body } = await t.call('GET', `/api/mailbox/mailboxes/${domain}/reports`, { token: admin })
    expect(body).toMatchObject({ total: 1, items: [{ organisation: 'Far', failed: 2 }] })
    expect(await readReports(t.app)).toBe(0)
  })
})
