import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { changed } from '../server/kit/live.ts'
import { roles } from '../server/roles/tables.ts'
import { users } from '../server/users/tables.ts'
import type { Heard } from './crowd.ts'
import { median, percentiles } from './load.ts'
import type { Stage } from './stage.ts'
import { atMost, known, type Line, short } from './table.ts'

const SOCKETS = 5000
const STAFF = 200
const ROUNDS = 7

/** One NOTIFY to 5,000 sockets against bare ones; and who of 200 staff hears what, and when. */
export async function sockets(stage: Stage): Promise<Line[]> {
  const crowd = fork(join(import.meta.dirname, 'crowd.ts'))
  const crier = fork(join(import.meta.dirname, 'crier.ts'), [stage.url])
  try {
    const [{ port }] = (await once(crier, 'message')) as [{ port: number }] // crier.ts sends it first
    const staff = await signInStaff(stage)
    const { db } = stage.inside.app
    const everybody = (tokens: string[]) =>
      Array.from({ length: SOCKETS }, (_, i) => headOf(tokens[i % tokens.length]!))

    await open(crowd, port, Array(SOCKETS).fill('hello\r\n\r\n'))
    const bare = await rounds(crowd, SOCKETS, () => db.execute(sql`select pg_notify('bench', '')`))
    const before = await memoryOf(stage)
    await open(crowd, stage.ours.port, everybody(staff.map(({ token }) => token)))
    const memory = ((await memoryOf(stage)) - before) / SOCKETS
    // `practice` is for everybody: as many hear it as of the floor
    const all = await rounds(crowd, SOCKETS, () => changed(db, 'practice'))
    const lines = [
      atMost(
        'sockets',
        `last of ${SOCKETS} sockets, as a multiple of bare ones`,
        median(all.lasts) / median(bare.lasts),
        1.5,
        '',
        `${short(median(all.lasts))} ms, bare ${short(median(bare.lasts))} ms, of ${ROUNDS} rounds by turns of one; heard by ${all.heard} of ${SOCKETS * ROUNDS}`,
      ),
      known('sockets', 'memory of a socket', `${short(memory / 1024)} KiB`, 'of the node, after they are open'),
    ]

    await open(
      crowd,
      stage.ours.port,
      staff.map(({ token }) => headOf(token)),
    )
    const may = new Set(staff.flatMap(({ reads }, place) => (reads ? place : [])))
    const some = await rounds(crowd, may.size, () => changed(db, 'websites', 1), 40)
    const wrong = some.places.filter((place) => !may.has(place)).length
    const { p50, p99 } = percentiles(some.times)
    lines.push(
      atMost(
        'sockets',
        `commit to the ${may.size} of ${STAFF} staff who may read it, p99`,
        p99,
        100,
        ' ms',
        `p50 ${short(p50)} ms; ${wrong} heard what they may not, ${may.size * 40 - some.heard} missed it`,
      ),
    )
    return lines
  } finally {
    crowd.kill('SIGKILL')
    crier.kill('SIGKILL')
  }
}

const headOf = (token: string) =>
  `GET /ws?jwt=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('sixteen bytes ok')}\r\n\r\n`

async function open(crowd: ChildProcess, port: number, heads: string[]): Promise<void> {
  crowd.send({ open: { port, heads } })
  await once(crowd, 'message')
}

/** From right before the statement that tells, so that its own way counts too. */
async function rounds(crowd: ChildProcess, count: number, tell: () => Promise<unknown>, times = ROUNDS) {
  const all = { lasts: [] as number[], times: [] as number[], places: [] as number[], heard: 0 }
  for (let n = 0; n < times; n++) {
    crowd.send({ wait: { count, ms: 3000 } })
    await once(crowd, 'message')
    const told = performance.timeOrigin + performance.now()
    await tell()
    const [heard] = (await once(crowd, 'message')) as [Heard] // after `waiting`
    const passed = heard.map(([, at]) => at - told)
    all.heard += heard.length
    all.lasts.push(Math.max(...passed))
    all.times.push(...passed)
    all.places.push(...heard.map(([place]) => place))
  }
  return all
}

/** Bytes that ours has in memory. */
async function memoryOf({ ours }: Stage): Promise<number> {
  const text = await (await fetch(`${ours.url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
}

/** 200 people, every second of whom may read websites. */
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
