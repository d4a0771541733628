import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { limits } from './adapters/ask.ts'
import { pullDue } from './pull.ts'
import { importItems } from './run.ts'
import { checkItem, type Items } from './source.ts'

let t: TestApp
let token: string
const kept = { ...limits }
const desks: { close(): void }[] = []
type Desk = Awaited<ReturnType<typeof openDesk>>

interface Ticket {
  id: number
  subject: string
  at: number
  /** The ticket into which it was merged. */
  into?: number
}
/** Answers a request and returns true, or returns false so that the help desk answers normally. */
type Fault = (response: ServerResponse, path: string, n: number) => boolean
const json = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

/** A test server that answers like Request Tracker's REST 2. `clock`: minutes by which its clock differs. */
async function openDesk(name: string) {
  const desk = {
    ...{ name, id: 0, asked: 0, clock: 0 },
    tickets: [] as Ticket[],
    fault: undefined as Fault | undefined,
    now: () => Date.now() + desk.clock * 60_000,
    change: (id: number, subject: string) => {
      desk.tickets = [...desk.tickets.filter((one) => one.id !== id), { id, subject, at: desk.now() }]
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://desk')
    desk.asked += 1
    response.setHeader('date', new Date(desk.now()).toUTCString())
    if (desk.fault?.(response, url.pathname, desk.asked)) return
    if (url.pathname !== '/REST/2.0/tickets') return void json(response, { items: [], pages: 1 })
    const query = url.searchParams.get('query') ?? ''
    const [, since = ''] = /LastUpdated >= '(.*?) UTC'/.exec(query) ?? []
    const from = Date.parse(`${since.replace(' ', 'T')}Z`)
    const named = [...query.matchAll(/\bid = (\d+)/g)].map(([, id]) => Number(id))
    const found = desk.tickets.filter(({ id, at }) =>
      since ? Math.floor(at / 1000) * 1000 >= from : named.includes(id),
    )
    const items = found
      .sort((a, b) => a.at - b.at)
      .map(({ id, subject, at, into = id }) => {
        const when = { Created: iso(at), LastUpdated: iso(at) }
        return { id, EffectiveId: into, Subject: subject, ...when, Requestor: [], Cc: [] }
      })
    json(response, { items, pages: 1 })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on a TCP port
  const made = await t.call('POST', '/api/qa-controller-v2/sources', {
    token,
    body: { name, type: 'rt', config: { url: `http://127.0.0.1:${port}`, user: 'ink' }, secret: 'of the desk' },
  })
  desk.id = made.body.id
  desks.push(desk)
  return desk
}
const pull = async ({ id }: Desk) =>
  (await t.call('POST', `/api/qa-controller-v2/sources/${id}/pull`, { token, body: {} })).body
const lastRun = async ({ id }: Desk) =>
  (await t.call('GET', `/api/qa-controller-v2/sources/${id}/runs`, { token })).body.items[0]
const subjects = async () =>
  (await t.call('GET', '/api/ticket-controller-v2/tickets/archive?itemsPerPage=100', { token })).body.items.map(
    (one: { subject: string }) => one.subject,
  )

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'fatal' }))
  token = (await t.somebody('admin')).token
})
afterEach(() => Object.assign(limits, kept))
afterAll(async () => {
  for (const desk of desks) desk.close()
  await t.close()
})

it('retries after 429 when the help desk allows it, and gives up with the reason', async () => {
  const desk = await openDesk('Busy')
  desk.change(1, 'Behind 429')
  let refused = 0
  desk.fault = (response, _path, n) => {
    if (n > 2) return false
    refused += 1
    response.writeHead(429, { 'retry-after': '0' }).end()
    return true
  }
  expect(await pull(desk)).toMatchObject({ added: 1, error: null })
  expect(refused).toBe(2)
  desk.fault = (response) => {
    response.writeHead(429, { 'retry-after': '0' }).end()
    return true
  }
  const asked = desk.asked
  expect(await pull(desk)).toMatchObject({ lines: 0, error: 'answered 429' })
  expect(desk.asked - asked).toBe(limits.tries)
})

it('waits for a slow answer, but gives up at a limit', async () => {
  const desk = await openDesk('Slow')
  desk.change(2, 'Slowly told')
  desk.fault = (response) => {
    setTimeout(() => json(response, { items: [], pages: 1 }), 200)
    return true
  }
  expect(await pull(desk)).toMatchObject({ lines: 0, error: null })
  Object.assign(limits, { patience: 300, pause: 1 })
  let late = 0
  desk.fault = () => late++ < 1 // the first request gets no answer, the second one does
  expect(await pull(desk)).toMatchObject({ added: 1, error: null })
  desk.change(2, 'Told again')
  desk.fault = () => true // no answer at all
  const asked = desk.asked
  expect((await pull(desk)).error).toBe('no usable answer from this address')
  expect(desk.asked - asked).toBe(limits.tries - 1)
  Object.assign(limits, kept)
  desk.fault = undefined
  expect(await pull(desk)).toMatchObject({ changed: 1, error: null })
})

it('asks less at a time of a help desk that comes late, and reads everything', async () => {
  const desk = await openDesk('Overloaded')
  for (let id = 1; id <= 30; id++) desk.change(id, `Late ${id}`)
  Object.assign(limits, { patience: 300, pause: 1 })
  let [open, late] = [0, 0]
  desk.fault = (response, path) => {
    if (path === '/REST/2.0/tickets') return false
    open += 1
    response.on('close', () => {
      open -= 1
    })
    // two at a time are all that it can do: the others get no answer
    if (open > 2) late += 1
    else setTimeout(() => json(response, { items: [], pages: 1 }), 10)
    return true
  }
  expect(await pull(desk)).toMatchObject({ added: 30, error: null })
  expect(late).toBeGreaterThan(0)
})

it('imports nothing from invalid answers, and continues afterwards', async () => {
  const desk = await openDesk('Wrong')
  desk.change(3, 'After nonsense')
  const wrong: [Fault, string][] = [
    [(response) => Boolean(response.end('<html>Sign in</html>')), 'no usable answer from this address'],
    [(response) => Boolean(json(response, { items: [{ id: {} }] })), 'an answer is not of REST 2'],
    [(response) => Boolean(response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()), 'answered 302'],
    [(response) => Boolean(response.writeHead(500).end()), 'answered 500'],
    [
      (response) => {
        response.writeHead(200, { 'content-length': 1000 })
        response.write('{"items":[', () => response.destroy())
        return true
      },
      'no usable answer from this address',
    ],
  ]
  for (const [fault, reason] of wrong) {
    desk.fault = fault
    expect((await pull(desk)).error).toContain(reason)
  }
  desk.fault = undefined
  expect(await pull(desk)).toMatchObject({ added: 1, refused: 0, error: null })
  expect(await pull(desk)).toMatchObject({ added: 0, unchanged: 1 })
})

it('reads a ticket again that could not be read, until the ticket is read or gone', async () => {
  const desk = await openDesk('Partly broken')
  const begun = desk.now() - 3_600_000
  desk.tickets = [10, 11, 12].map((id, n) => ({ id, subject: `Ticket ${id}`, at: begun + n * 600_000 }))
  desk.fault = (response, path) => {
    if (!/ticket\/(10|11)\/history/.test(path)) return false
    response.writeHead(500).end()
    return true
  }
  const reason = (id: number) =>
    expect.objectContaining({ reason: expect.stringContaining(`ticket ${id}: answered 500`) })
  expect(await pull(desk)).toMatchObject({ added: 1, refused: 2, problems: [reason(10), reason(11)] })
  expect(await pull(desk)).toMatchObject({ added: 0, refused: 2, problems: [reason(10), reason(11)] })
  desk.fault = undefined
  desk.tickets = desk.tickets.filter(({ id }) => id !== 11)
  const gone = expect.objectContaining({ reason: 'ticket 11 no longer exists' })
  expect(await pull(desk)).toMatchObject({ added: 1, refused: 1, problems: [gone] })
  expect(await pull(desk)).toMatchObject({ added: 0, refused: 0 })
})

const unreadOf = async ({ id }: Desk) =>
  (await rows<{ unread: string[] }>(t.app.db, sql`select unread from qc_sources where qc_source_id = ${id}`))[0]?.unread
/** Earlier runs have read everything else. */
const setUnread = ({ id }: Desk, ids: number[]) =>
  t.app.db.execute(sql`update qc_sources set cursor = ${iso(Date.now() - 600_000)},
      unread = ${JSON.stringify(ids.map(String))}::jsonb where qc_source_id = ${id}`)
const brokenHistory: Fault = (response, path) => /history/.test(path) && Boolean(response.writeHead(500).end())

it('reads at most 100 such tickets again in a run, the oldest attempt first, after the new tickets', async () => {
  const desk = await openDesk('Many unread')
  const ids = Array.from({ length: 103 }, (_, n) => 1000 + n)
  desk.tickets = ids.map((id) => ({ id, subject: `Ticket ${id}`, at: 0 }))
  await setUnread(desk, ids)
  desk.fault = brokenHistory
  expect(await pull(desk)).toMatchObject({ refused: 100, error: null })
  const rest = [1100, 1101, 1102]
  expect(await unreadOf(desk)).toEqual([...rest, ...ids.slice(0, 100)].map(String))
  // the search for them fails: new tickets are imported nevertheless
  desk.change(1200, 'New')
  desk.fault = (response, path, n) =>
    path.endsWith('/tickets') && n > asked + 2 && Boolean(response.writeHead(500).end())
  const { asked } = desk
  expect(await pull(desk)).toMatchObject({ added: 1, error: 'answered 500' })
  desk.fault = undefined
  expect(await pull(desk)).toMatchObject({ added: 100 })
  expect(await unreadOf(desk)).toEqual(['1097', '1098', '1099'])
})

it('reads such a ticket once if it was merged or changed meanwhile', async () => {
  const desk = await openDesk('Meanwhile')
  desk.tickets = [
    { id: 2001, subject: 'Merged', at: 0, into: 2003 },
    { id: 2003, subject: 'The other', at: 0 },
  ]
  desk.change(2002, 'Changed')
  await setUnread(desk, [2001, 2002])
  expect(await pull(desk)).toMatchObject({ lines: 2, added: 2, refused: 0 })
  expect(await unreadOf(desk)).toEqual([])
})

it('keeps the unread tickets of another run that ended first, and none of a help desk that was replaced', async () => {
  const desk = await openDesk('Two runs')
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  let isHeld = true
  desk.fault = (response) => {
    if (!isHeld) return false
    isHeld = false
    held.then(() => json(response, { items: [], pages: 1 })).catch((error: Error) => response.destroy(error))
    return true
  }
  const first = pull(desk)
  await expect.poll(() => isHeld).toBe(false)
  desk.change(3001, 'Cannot be read')
  desk.fault = brokenHistory
  expect(await pull(desk)).toMatchObject({ refused: 1 })
  release()
  await first
  expect(await unreadOf(desk)).toEqual(['3001'])
  const other = await openDesk('Replacement')
  const { items } = (await t.call('GET', '/api/qa-controller-v2/sources?itemsPerPage=100', { token })).body
  const { url } = items.find((one: { id: number }) => one.id === other.id).config
  const before = desk.asked
  desk.fault = (response, path, n) => {
    if (n > before + 1) return brokenHistory(response, path, n)
    const config = { url, user: 'ink' }
    t.call('PATCH', `/api/qa-controller-v2/sources/${desk.id}`, { token, body: { config, secret: 'another' } })
      .then(() => json(response, { items: [], pages: 1 }))
      .catch((error: Error) => response.destroy(error))
    return true
  }
  expect(await pull(desk)).toMatchObject({ refused: 1 })
  expect(await unreadOf(desk)).toEqual([])
})

it('misses no change although the clock of the help desk was set back by a day', async () => {
  const desk = await openDesk('Clock')
  desk.change(4, 'Stamped today')
  expect(await pull(desk)).toMatchObject({ added: 1 })
  desk.clock = -24 * 60
  desk.change(5, 'Stamped yesterday')
  expect(await pull(desk)).toMatchObject({ added: 1, error: null })
  desk.change(5, 'Stamped yesterday again')
  expect(await pull(desk)).toMatchObject({ added: 0, changed: 1 })
  desk.clock = 0
  desk.change(6, 'Stamped today again')
  expect(await pull(desk)).toMatchObject({ added: 1, refused: 0 })
  expect(await subjects()).toEqual(expect.arrayContaining(['Stamped yesterday again', 'Stamped today again']))
})

it('reads the other sources when one is broken', async () => {
  const [broken, whole] = [await openDesk('Broken'), await openDesk('Whole')]
  whole.change(7, 'From the whole one')
  broken.fault = (response) => Boolean(response.writeHead(500).end())
  await pullDue(t.app)
  expect(await lastRun(broken)).toMatchObject({ error: 'answered 500' })
  expect(await lastRun(whole)).toMatchObject({ added: 1, error: null })
})

it('reads the other sources while one takes long', async () => {
  const [long, quick] = [await openDesk('Long'), await openDesk('Quick')]
  for (const desk of [long, quick]) desk.change(1, `Of ${desk.name}`)
  let answer: () => void = () => {}
  long.fault = (response) => {
    answer = () => json(response, { items: [], pages: 1 })
    return true
  }
  await pullDue(t.app, 1)
  await expect.poll(async () => (await lastRun(quick))?.added).toBe(1)
  expect(await lastRun(long)).toBeUndefined()
  const due = () => t.app.db.execute(sql`update qc_sources set last_pull_at = null`)
  await due()
  quick.change(2, 'Of the next round')
  const asked = long.asked
  await pullDue(t.app, 1)
  await expect.poll(async () => (await lastRun(quick))?.added).toBe(1)
  await expect.poll(subjects).toContain('Of the next round')
  expect(long.asked).toBe(asked) // its pull is still under way
  long.fault = undefined
  answer()
  await expect.poll(async () => (await lastRun(long))?.error).toBeNull()
})

it('never sends a stored password to another address', async () => {
  const [desk, other] = [await openDesk('Own'), await openDesk('Other')]
  const path = `/api/qa-controller-v2/sources/${desk.id}`
  const { items } = (await t.call('GET', '/api/qa-controller-v2/sources?itemsPerPage=100', { token })).body
  const { url } = items.find((one: { id: number }) => one.id === other.id).config
  const config = { url, user: 'ink' }
  const { status, body } = await t.call('PATCH', path, { token, body: { config } })
  expect([status, body.fields]).toEqual([422, { secret: 'Required with another address' }])
  expect((await t.call('PATCH', path, { token, body: { config, secret: 'another' } })).status).toBe(200)
})

const away = () => Object.assign(new Error('terminating connection'), { code: '57P01' })

it('refuses nothing while the database is away: the next run imports the same items', async () => {
  const desk = await openDesk('Database away')
  desk.change(61, 'Written later')
  const transaction = vi.spyOn(t.app.db, 'transaction').mockRejectedValueOnce(away())
  const stopped = await pull(desk).finally(() => transaction.mockRestore())
  expect(stopped).toMatchObject({ lines: 1, added: 0, refused: 0, error: expect.stringContaining('database') })
  const [source] = await rows<{ cursor: string | null; unread: string[] }>(
    t.app.db,
    sql`select cursor, unread from qc_sources where qc_source_id = ${desk.id}`,
  )
  expect(source).toEqual({ cursor: null, unread: [] })
  expect(await pull(desk)).toMatchObject({ added: 1, refused: 0, error: null })
})

it('moves the cursor over what is written or refused for its own sake, and not further', async () => {
  const { id: sourceId } = await openDesk('Cursor')
  const item = (n: number, subject = `Cursor ${n}`) => ({ kind: 'ticket', id: `cursor-${n}`, subject, messages: [] })
  const items = async function* (): Items {
    for (let n = 1; n <= 450; n++) {
      const read = checkItem({ ...item(n), startedAt: '2026-11-20T10:00:00Z', customer: { name: 'x', email: '' } }, n)
      yield { ...read, cursor: String(n) }
    }
  }
  const run = (via: 'pull' | 'http') =>
    importItems(t.app.db, t.app.log, { items: items(), sourceId, via, startedBy: null })
  const failing = (on: number) => {
    const { transaction } = t.app.db
    let n = 0
    return vi.spyOn(t.app.db, 'transaction').mockImplementation((work) => {
      n += 1
      return n === on ? Promise.reject(away()) : transaction.call(t.app.db, work)
    })
  }
  let broken = failing(2)
  const stopped = await run('pull').finally(() => broken.mockRestore())
  expect(stopped).toMatchObject({ lines: 400, added: 200, refused: 0, cursor: '200' })
  broken = failing(3)
  // a sender that pushes items gets the error, and sends them again
  await expect(run('http').finally(() => broken.mockRestore())).rejects.toMatchObject({ code: '57P01' })
  broken = failing(3)
  expect(await run('pull').finally(() => broken.mockRestore())).toMatchObject({ unchanged: 400, cursor: '400' })
  expect(await run('pull')).toMatchObject({ added: 50, unchanged: 400, error: null, cursor: '450' })
})
