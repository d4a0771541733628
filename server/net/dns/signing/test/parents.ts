import { type AddressInfo, createServer, type Server } from 'node:net'
import { four, join, two, typeNumbers } from '@innkeeper/contract/net/dns/wire'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, made, t } from '../../test/dns.ts'
import { dsRound } from '../parent.ts'

/** The TTL of the DS record that the resolver has; undefined: it has none. */
let ttl: number | undefined
let resolver: Server

/** Answers the question with a DS record, or without. */
function answer(query: Buffer): Buffer {
  const end = query.indexOf(0, 14) + 5
  const question = query.subarray(14, end)
  const data = join(two(4711), Uint8Array.of(13, 2), new Uint8Array(32))
  const record = join(two(0xc00c), two(typeNumbers.DS), two(1), four(ttl ?? 0), two(data.length), data)
  const head = join(
    new Uint8Array(query.subarray(2, 4)),
    two(0x8180),
    two(1),
    two(ttl === undefined ? 0 : 1),
    two(0),
    two(0),
  )
  const all = join(head, new Uint8Array(question), ttl === undefined ? new Uint8Array() : record)
  return Buffer.from(join(two(all.length), all))
}

const everyZone = (id: number) => dsRound(t.app, sql`${id} % 60`)
const off = async (id: number) => {
  const { status, body } = await call('PATCH', `/zones/${id}`, { dnssec: false })
  return [status, body.fields?.dnssec]
}
const passed = (id: number, seconds: number) =>
  t.app.db.execute(
    sql`update zones set ds_gone_at = ds_gone_at - make_interval(secs => ${seconds}) where zone_id = ${id}`,
  )

describe('the DS record at the parent', () => {
  beforeAll(async () => {
    resolver = createServer((socket) => socket.on('data', (query: Buffer) => socket.end(answer(query))))
    await new Promise<void>((ready) => resolver.listen(0, '127.0.0.1', ready))
    Object.assign(t.app.settings, { resolver: `127.0.0.1:${(resolver.address() as AddressInfo).port}` })
  })
  afterAll(() => {
    Object.assign(t.app.settings, { resolver: undefined })
    resolver.close()
  })

  it('is remembered with its TTL, and keeps a zone signed until no resolver can have it any more', async () => {
    const { id } = await made()
    await call('PATCH', `/zones/${id}`, { dnssec: true })
    ttl = 7200
    await everyZone(id)
    ttl = 300 // a resolver says the rest of the time
    await everyZone(id)
    expect(await off(id)).toEqual([422, expect.stringMatching(/still has a DS record.* Resolvers keep it for 2 hours/)])
    ttl = undefined
    // nobody has missed it yet: it may have gone in this second
    expect(await off(id)).toEqual([
      422,
      expect.stringMatching(/no longer has its DS record.*TTL of 2 hours.*safe from/),
    ])
    await everyZone(id)
    await passed(id, 7100)
    await everyZone(id) // the first miss counts
    expect(await off(id)).toEqual([422, expect.stringContaining('It is safe from ')])
    await passed(id, 101)
    expect(await off(id)).toEqual([200, undefined])
  })

  it('counts anew when it is back, and people may insist', async () => {
    const { id } = await made()
    await call('PATCH', `/zones/${id}`, { dnssec: true })
    ttl = 86_400
    await everyZone(id)
    ttl = undefined
    await everyZone(id)
    ttl = 60
    await everyZone(id)
    ttl = undefined
    await everyZone(id)
    expect(await off(id)).toEqual([422, expect.stringContaining('TTL of 60 s')])
    expect((await call('PATCH', `/zones/${id}`, { dnssec: false, despiteDs: true })).status).toBe(200)
  })
})
