import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { limits } from './adapters/ask.ts'
import { childOf, type Element, readerOf } from './adapters/xml.ts'

/**
 * Tests against a test XMPP server that fails on request. docs/quality-import.md describes a manual test with prosody.
 */
let t: TestApp
let token: string
const kept = { ...limits }
const desks: { close(): void }[] = []

interface Entry {
  at: string
  /** `me` (the agent's account), or the address of another person. */
  from: string
  xml: string
}
type Desk = Awaited<ReturnType<typeof openDesk>>

const page = 2 // messages of one answer, so that few messages make several pages
async function openDesk(name: string) {
  const desk = {
    ...{ id: 0, account: `${name}@chat.example`, archive: [] as Entry[], clock: undefined as string | undefined },
    repeats: false,
    /** Called before each result; returns true if the fault has answered instead. */
    fault: undefined as ((socket: Socket, n: number) => boolean) | undefined,
    say: (at: string, from: string, xml: string) => void desk.archive.push({ at, from, xml }),
    close: () => void server.close(),
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let signedIn = false
    const open = () =>
      socket.write(
        `<stream:stream xmlns='jabber:client'><stream:features>${signedIn ? '<bind/>' : '<mechanisms><mechanism>PLAIN</mechanism></mechanisms>'}</stream:features>`,
      )
    const read = readerOf((stanza) => {
      const { id } = stanza.attributes
      if (stanza.name === 'auth') {
        signedIn = true
        socket.write('<success/>')
      } else if (childOf(stanza, 'bind')) socket.write(`<iq type='result' id='${id}'/>`)
      else if (childOf(stanza, 'time'))
        socket.write(
          `<iq type='result' id='${id}'><time><utc>${desk.clock ?? new Date().toISOString()}</utc></time></iq>`,
        )
      else if (childOf(stanza, 'query')) answer(socket, stanza)
    })
    socket.setEncoding('utf8').on('error', () => {})
    socket.on('data', (bytes) => {
      if (String(bytes).includes('<stream:stream')) open()
      read(String(bytes))
    })
  })
  function answer(socket: Socket, stanza: Element) {
    const query = childOf(stanza, 'query')
    const value = (name: string) =>
      childOf(
        childOf(query, 'x')?.children.find(({ attributes }) => attributes.var === name),
        'value',
      )?.text
    const set = childOf(query, 'set')
    const [after, before] = [childOf(set, 'after')?.text, childOf(set, 'before')?.text]
    const [start, end, person] = [value('start'), value('end'), value('with')]
    const all = desk.archive
      .map((entry, n) => ({ ...entry, n: n + 1 }))
      .filter(
        ({ at, from, xml }) =>
          (!start || at >= start) && (!end || at <= end) && (!person || `${from} ${xml}`.includes(person)),
      )
    const rest = all.filter(({ n }) => (!after || n > Number(after)) && (!before || n < Number(before)))
    const shown = desk.repeats ? all.slice(0, page) : before === undefined ? rest.slice(0, page) : rest.slice(-page)
    for (const { n, at, from, xml } of shown) {
      if (desk.fault?.(socket, n)) return
      const [sender, receiver] = from === 'me' ? [desk.account, 'ola@customer.example'] : [from, desk.account]
      socket.write(`<message><result queryid='${query?.attributes.queryid}' id='${n}'><forwarded><delay stamp='${at}'/>
        <message from='${sender}/phone' to='${receiver}' ${xml}</message></forwarded></result></message>`)
    }
    socket.write(`<iq type='result' id='${stanza.attributes.id}'><fin ${shown.length === rest.length ? "complete='true'" : ''}>
      <set><first>${shown[0]?.n ?? ''}</first><last>${shown.at(-1)?.n ?? ''}</last></set></fin></iq>`)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on a TCP port
  const config = { url: `xmpp://127.0.0.1:${port}`, user: desk.account }
  const made = await t.call('POST', '/api/qa-controller-v2/sources', {
    token,
    body: { name, type: 'xmpp', config, secret: 'of the desk' },
  })
  desk.id = made.body.id
  desk.close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  desks.push(desk)
  return desk
}
const pull = async ({ id }: Desk) =>
  (await t.call('POST', `/api/qa-controller-v2/sources/${id}/pull`, { token, body: {} })).body
/** Chats of a customer as `day: texts`; `*` marks a corrected text, `()` a removed one. */
async function chatsOf(person: string): Promise<string[]> {
  const { items } = (await t.call('GET', `/api/chat-controller-v2/chats/archive?search=${person}`, { token })).body
  const told: string[] = []
  for (const { id, externalId } of items) {
    const one = (await t.call('GET', `/api/chat-controller-v2/chats/${id}`, { token })).body
    const words = one.items.map((message: { body: string; editedAt: string | null; removedAt: string | null }) =>
      message.removedAt ? `(${message.body})` : message.editedAt ? `${message.body}*` : message.body,
    )
    told.push(`${externalId.split(' ')[1]}: ${words.join(', ')}`)
  }
  return told.sort()
}
const body = (id: string, text: string, more = '') => `id='${id}'><body>${text}</body>${more}`

beforeAll(async () => {
  t = await openTestApp(pino({ level: 'fatal' }))
  token = (await t.somebody('admin')).token
})
afterEach(() => Object.assign(limits, kept))
afterAll(async () => {
  for (const desk of desks) desk.close()
  await t.close()
})

it('stores only complete days when the connection breaks within a page, and continues in the next run', async () => {
  const desk = await openDesk('broken')
  desk.say('2026-11-19T10:00:00Z', 'eva@c.example', body('1', 'one'))
  desk.say('2026-11-20T10:00:00Z', 'eva@c.example', body('2', 'two'))
  desk.say('2026-11-20T10:01:00Z', 'me', body('3', 'with somebody else'))
  desk.say('2026-11-20T10:02:00Z', 'eva@c.example', body('4', 'four'))
  desk.fault = (socket, n) => n === 4 && Boolean(socket.destroy())
  expect(await pull(desk)).toMatchObject({ added: 1, error: 'no usable answer from this address' })
  expect(await chatsOf('eva')).toEqual(['2026-11-19: one'])
  desk.fault = undefined
  expect(await pull(desk)).toMatchObject({ added: 2, unchanged: 1, error: null })
  expect(await chatsOf('eva')).toEqual(['2026-11-19: one', '2026-11-20: two, four'])
})

it('ends the run when the archive does not answer or repeats a page', async () => {
  const desk = await openDesk('silent')
  for (const n of [1, 2, 3]) desk.say(`2026-11-20T10:0${n}:00Z`, 'kim@c.example', body(String(n), `word ${n}`))
  limits.patience = 200
  desk.fault = () => true
  expect((await pull(desk)).error).toBe('no usable answer from this address')
  Object.assign(limits, kept)
  desk.fault = undefined
  desk.repeats = true
  expect((await pull(desk)).error).toBe('the archive answers the same page again')
  desk.repeats = false
  expect(await pull(desk)).toMatchObject({ added: 1, error: null })
})

it('refuses only messages without time or id, and ignores forged results of other senders', async () => {
  const desk = await openDesk('wrong')
  desk.say('yesterday', 'ann@c.example', body('1', 'without time'))
  desk.say('2026-11-20T10:00:00Z', 'ann@c.example', body('2', 'whole'))
  desk.fault = (socket, n) => {
    if (n === 2) socket.write(`<message from='eve@c.example'><result queryid='q1' id='9'/></message>`)
    return false
  }
  expect(await pull(desk)).toMatchObject({
    added: 1,
    refused: 1,
    error: null,
    problems: [{ reason: 'archive id 1: no time' }],
  })
})

it('applies corrections and retractions to the chat of the day of the original message', async () => {
  const desk = await openDesk('late')
  const origin = "<origin-id xmlns='urn:xmpp:sid:0' id='o2'/>"
  desk.say('2026-11-18T10:00:00Z', 'liv@c.example', body('a', 'secret'))
  desk.say('2026-11-18T10:01:00Z', 'liv@c.example', body('b', 'teh shop', origin))
  desk.say('2026-11-18T10:02:00Z', 'liv@c.example', body('c', 'kept'))
  expect(await pull(desk)).toMatchObject({ added: 1 })
  desk.say('2026-11-19T09:00:00Z', 'liv@c.example', body('d', 'the shop', "<replace id='o2'/>"))
  expect(await pull(desk)).toMatchObject({ changed: 1, error: null })
  expect(await chatsOf('liv')).toEqual(['2026-11-18: secret, the shop*, kept'])
  desk.say('2026-11-20T09:00:00Z', 'liv@c.example', "id='e'><retract id='a'/>")
  desk.say('2026-11-20T09:01:00Z', 'liv@c.example', body('f', 'the shops', "<replace id='d'/>"))
  desk.say('2026-11-20T09:02:00Z', 'me', body('g', 'not yours', "<replace id='c'/>"))
  desk.say('2026-11-20T09:03:00Z', 'liv@c.example', "id='h'><retract id='nothing'/>")
  expect(await pull(desk)).toMatchObject({ refused: 1, error: null })
  expect(await chatsOf('liv')).toEqual(['2026-11-18: (), the shops*, kept'])
  const again = await pull(desk)
  expect([again.added, again.changed]).toEqual([0, 0])
})

it('misses no message although the clock was set back by a day, and keeps the chat of that day complete', async () => {
  const desk = await openDesk('clock')
  desk.say('2026-11-20T23:00:00Z', 'ida@c.example', body('1', 'first'))
  desk.say('2026-11-21T08:00:00Z', 'ida@c.example', body('2', 'next day'))
  expect(await pull(desk)).toMatchObject({ added: 2 })
  desk.clock = '2026-11-20T09:00:00Z'
  desk.say('2026-11-20T09:00:00Z', 'ida@c.example', body('3', 'stamped back'))
  expect(await pull(desk)).toMatchObject({ changed: 1, error: null })
  expect(await chatsOf('ida')).toEqual(['2026-11-20: stamped back, first', '2026-11-21: next day'])
})
