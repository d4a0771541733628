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

test('connects to a control plane with the pinned key, whatever its certificate says', async () => {
  const door = openDoor(hub.url, hub.pin, credential)
  expect(await door.ask('/agent/enrol', enrolment())).toEqual({ serverId: 1, name: 'practice' })
  expect(await door.ask('/agent/report', nothing)).toEqual({ gone: [], accepted: [] })
})

test('treats another key as away, and sends it nothing', async () => {
  const other = await peer()
  const door = openDoor(other.url, hub.pin)
  await expect(door.ask('/agent/enrol', enrolment())).rejects.toThrow(/not the pinned one/)
  await expect(door.ask('/agent/enrol', enrolment())).rejects.toBeInstanceOf(Away)
  expect(other.heard.calls).toBe(0)
  await other.close()
})

test('distinguishes a refusal from an absence', async () => {
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

test('treats a broken server or an invalid answer as away', async () => {
  const door = openDoor(hub.url, hub.pin, credential)
  await door.ask('/agent/enrol', enrolment())
  hub.state.refuse = () => ({ status: 500, body: { message: 'broken' } })
  await expect(door.ask('/agent/report', nothing)).rejects.toBeInstanceOf(Away)
  hub.state.refuse = () => ({ status: 200, body: { gone: 'x' } })
  await expect(door.ask('/agent/report', nothing)).rejects.toBeInstanceOf(Away)
})

test('aborts a call on request', async () => {
  const door = openDoor(hub.url, hub.pin, credential)
  await door.ask('/agent/enrol', enrolment())
  const waiting = door.ask('/agent/claim', { lane: 'short', free: 1 }, AbortSignal.timeout(100))
  await expect(waiting).rejects.toBeInstanceOf(Away)
})
