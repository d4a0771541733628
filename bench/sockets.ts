import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { roles } from '../server/access/roles/tables.ts'
import { users } from '../server/access/users/tables.ts'
import { changed } from '../server/kit/live/live.ts'
import type { Heard } from './crowd.ts'
import { median, percentiles } from './load.ts'
import type { Stage } from './stage.ts'
import { atMost, known, type Line, short } from './table.ts'

const SOCKETS = 5000
const STAFF = 200
const ROUNDS = 7
const CHANGES = 40

/** Measures one NOTIFY to 5,000 sockets, floor and app in turn, and which of 200 staff receive an event, and when. */
export async function* sockets(stage: Stage): AsyncGenerator<Line> {
  const process = (name: string) => fork(join(import.meta.dirname, name), [stage.url])
  const [crier, bareCrowd, crowd] = [process('crier.ts'), process('crowd.ts'), process('crowd.ts')]
  try {
    const [{ port }] = (await once(crier, 'message')) as [{ port: number }] // crier.ts sends its port first
    const staff = await signInStaff(stage)
    const { db } = stage.inside.app
    await open(bareCrowd, port, Array(SOCKETS).fill('hello\r\n\r\n'))
    const before = await memoryOf(stage)
    const many = Array.from({ length: SOCKETS }, (_, i) => headOf(staff[i % STAFF]!.token))
    await open(crowd, stage.ours.port, many)
    const memory = ((await memoryOf(stage)) - before) / SOCKETS

    const [bare, ours]: [Told[], Told[]] = [[], []]
    for (let n = 0; n < ROUNDS; n++) {
      bare.push(await tell(bareCrowd, SOCKETS, () => db.execute(sql`select pg_notify('bench', '')`)))
      ours.push(await tell(crowd, SOCKETS, () => changed(db, 'practice'))) // everybody may read this domain
    }
    const last = (rounds: Told[]) => median(rounds.map(({ times }) => Math.max(...times)))
    const heard = ours.reduce((sum, { times }) => sum + times.length, 0)
    const behind = `${short(last(ours))} ms, bare ${short(last(bare))} ms; ${heard} of ${SOCKETS * ROUNDS} heard it`
    yield atMost('sockets', `last of ${SOCKETS}, as a multiple of bare ones`, last(ours) / last(bare), 1.5, '', behind)
    yield known('sockets', 'memory of a socket', `${short(memory / 1024)} KiB`, 'of the node, once they are open')

    const heads = staff.map(({ token }) => headOf(token))
    await open(crowd, stage.ours.port, heads)
    const may = new Set(staff.flatMap(({ reads }, place) => (reads ? place : [])))
    const some: Told[] = []
    for (let n = 0; n < CHANGES; n++) some.push(await tell(crowd, may.size, () => changed(db, 'websites', 1)))
    const { p50, p99 } = percentiles(some.flatMap(({ times }) => times))
    const places = some.flatMap(({ places }) => places)
    const wrong = places.filter((place) => !may.has(place)).length
    const missed = may.size * CHANGES - (places.length - wrong)
    const filtered = `p50 ${short(p50)} ms; ${wrong} heard what they may not, ${missed} missed it`
    yield atMost('sockets', `commit to ${may.size} of ${STAFF} staff, who may read it, p99`, p99, 100, ' ms', filtered)
  } finally {
    for (const child of [crier, bareCrowd, crowd]) child.kill('SIGKILL')
  }
}

const headOf = (token: string) =>
  `GET /ws?jwt=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('sixteen bytes ok')}\r\n\r\n`

async function open(crowd: ChildProcess, port: number, heads: string[]): Promise<void> {
  crowd.send({ open: { port, heads } })
  await once(crowd, 'message')
}

interface Told {
  /** Milliseconds from just before the NOTIFY statement, so that the statement counts too. */
  times: number[]
  /** People whose sockets received the event. */
  places: number[]
}

async function tell(crowd: ChildProcess, count: number, say: () => Promise<unknown>): Promise<Told> {
  crowd.send({ wait: { count, ms: 3000 } })
  await once(crowd, 'message')
  const began = performance.timeOrigin + performance.now()
  const answered = once(crowd, 'message')
  await say()
  const [heard] = (await answered) as [Heard] // `waiting` was sent before
  return { times: heard.map(([, at]) => at - began), places: heard.map(([place]) => place) }
}

/** Memory of the app in bytes. */
async function memoryOf({ ours }: Stage): Promise<number> {
  const text = await (await fetch(`${ours.url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
}

/** 200 people, half of whom may read websites. */
async function signInStaff({ inside: { app } }: Stage): Promise<{ token: string; reads: boolean }[]> {
  const { db } = app
  const stamp = Date.now().toString(36)
  const [readers, others] = await db
    .insert(roles)
    .values([
      { name: `Readers ${stamp}`, scopes: ['website:website:read'] },
      { name: `Others ${stamp}`, scopes: ['dns:zone:read'] },
    ])
    .returning()
  const people = Array.from({ length: STAFF }, (_, i) => {
    const username = `crowd${stamp}x${i}`
    const roleId = i % 2 ? readers?.id : others?.id
    return {
      username,
      email: `${username}@example.org`,
      firstName: 'One',
      lastName: 'Of many',
      passwordHash: '-',
      roleId,
    }
  })
  const made = await db.insert(users).values(people).returning()
  const staff = []
  for (const { id, roleId } of made)
    staff.push({
      token: await app.sessions.open(db, id, { ip: null, userAgent: null }),
      reads: roleId === readers?.id,
    })
  return staff
}
