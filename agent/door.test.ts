import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Away, openDoor, Refused } from './door.ts'
import { type Peer, peer } from './testing/peer.ts'

let hub: Peer
beforeEach(async () => {
  hub = await peer()
})
afterEach(() => hub.close())

const credential = 'k'.repeat(43)
const enrolment = () => ({ token: 'once-only-token', credential, hostname: 'h' })
const nothing = { held: [], chunks: [], answers: [] }

test('a control plane with the pinned key is talked to, whatever its certificate says', async () => {
  const door = openDoor(hub.url, hub.pin, credential)
  expect(await door.ask('/agent/enrol', enrolment())).toEqual({ serverId: 1, name: 'practice' })
  expect(await door.ask('/agent/report', nothing)).toEqual({ gone: [], accepted: [] })
})

test('another key is away, and is told nothing', async () => {
  const other = await peer()
  const door = openDoor(other.url, hub.pin)
  await expect(door.ask('/agent/enrol', enrolment())).rejects.toThrow(/not the pinned one/)
  await expect(door.ask('/agent/enrol', enrolment())).rejects.toBeInstanceOf(Away)
  expect(other.heard.calls).toBe(0)
  await other.close()
})

test('a refusal is told from absence', async () => {
  const door = openDoor(hub.url, hub.pin, 'unknown-credential')
  await expect(door.ask('/agent/report', nothing)).rejects.toMatchObject({ status: 401 })
  await expect(door.ask('/agent/report', nothing)).rejects.toBeInstanceOf(Refused)
  const free = createServer().listen(0)
  const { port } = free.address() as { port: number } // it listens on TCP
  await new Promise((resolve) => free.close(resolve))
  await expect(openDoor(`https://127.0.0.1:${port}`, hub.pin).ask('/agent/report', nothing)).rejects.toBeInstanceOf(
    Away,
  )
})

test('a server that is broken, or answers what nobody understands, is away', async () => {
  const door = openDoor(hub.url, hub.pin, credential)
  await door.ask('/agent/enrol', enrolment())
  hub.state.refuse = () => ({ status: 500, body: { message: 'broken' } })
  await expect(door.ask('/agent/report', nothing)).rejects.toBeInstanceOf(Away)
  hub.state.refuse = () => ({ status: 200, body: { gone: 'x' } })
  await expect(door.ask('/agent/report', nothing)).rejects.toBeInstanceOf(Away)
})

test('a call ends when it is told to', async () => {
  const door = openDoor(hub.url, hub.pin, credential)
  await door.ask('/agent/enrol', enrolment())
  const waiting = door.ask('/agent/claim', { lane: 'short', free: 1 }, AbortSignal.timeout(100))
  await expect(waiting).rejects.toBeInstanceOf(Away)
})
