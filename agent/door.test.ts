import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Heartbeat } from '@innkeeper/contract/agent/door'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Away, openDoor, Refused } from './door.ts'
import { openNodes } from './nodes.ts'
import { type Peer, peer } from './test/peer.ts'

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

test('goes on with another node when one is away, learns other addresses, and returns to its own node', async () => {
  const other = await peer('127.0.0.1', 30_000, hub.identity)
  const third = await peer('127.0.0.1', 30_000, hub.identity)
  for (const one of [other, third]) one.heard.credentials.add(credential)
  const stateDir = mkdtempSync(join(tmpdir(), 'innkeeper-nodes-'))
  let time = 0
  const open = (urls: string[]) => openNodes(urls, { stateDir, spread: credential, now: () => time })
  const nodes = open([hub.url, other.url])
  const door = openDoor(nodes, hub.pin, credential)
  const own = nodes.current === hub.url ? hub : other
  const next = own === hub ? other : hub
  await door.ask('/agent/enrol', enrolment())
  hub.heard.credentials.add(credential)

  await own.close()
  await expect(door.ask('/agent/report', nothing)).rejects.toBeInstanceOf(Away)
  expect(await door.ask('/agent/report', nothing)).toEqual({ gone: [], accepted: [] })
  expect(nodes.current).toBe(next.url)

  // its own node is tried by a heartbeat only
  expect(nodes.tried).toBe(next.url)
  time = 600_000
  expect([nodes.current, nodes.tried]).toEqual([next.url, own.url])
  await expect(door.ask('/agent/heartbeat', beat)).rejects.toBeInstanceOf(Away)
  expect([nodes.current, nodes.tried]).toEqual([next.url, next.url])
  time = 1_200_000
  nodes.answered(own.url)
  expect(nodes.current).toBe(own.url)

  nodes.learn([third.url])
  expect(await door.ask('/agent/report', nothing)).toEqual({ gone: [], accepted: [] })
  expect(open([own.url]).current).toBe(third.url) // after a restart
  nodes.learn([])
  expect(open([next.url]).current).toBe(next.url)
  await Promise.all([next.close(), third.close()])
  rmSync(stateDir, { recursive: true })
  hub = await peer() // closed after the test
})

const beat = {
  ...{ agentVersion: '1', os: 'Debian', arch: 'x64', operations: [], uptime: 1, cores: 1, load: 0, services: [] },
  ...{ memory: { total: 1, used: 1 }, disk: { total: 1, used: 1 }, addresses: [], notEnforced: [] },
} satisfies Heartbeat
