import type { AddressInfo } from 'node:net'
import { permissions } from '@innkeeper/contract/permissions/services'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestApp, type TestApp } from '../../test/app.ts'

let t: TestApp
let admin: string
let port: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin', 'root')).token
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  port = (t.http.server.address() as AddressInfo).port // it listens on a port
})
afterAll(() => t.close())

interface Heard {
  event: string
  data: Record<string, unknown>
}

/** An open screen: its messages about permissions, without `changed` events and notifications, and its close code. */
async function screen(token: string): Promise<{ heard: Heard[]; closed: () => number | undefined }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?jwt=${token}`)
  const heard: Heard[] = []
  let code: number | undefined
  socket.on('message', (text) => {
    const message = JSON.parse(String(text)) as Heard // of our own server
    if (!['changed', 'notification'].includes(message.event)) heard.push(message)
  })
  socket.on('close', (closing) => {
    code = closing
  })
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  return { heard, closed: () => code }
}
const act = (method: Parameters<TestApp['call']>[0], path: string, body: unknown) =>
  t.call(method, `/api/auth${path}`, { token: admin, body })
const events = (open: { heard: Heard[] }) => open.heard.map(({ event }) => event)

describe('an open screen is notified', () => {
  it('of a changed role, with the present permissions; others are not', async () => {
    const { body: role } = await act('POST', '/roles', { name: 'Live', scopes: ['dns:zone:read'] })
    const [member, stranger] = [await t.somebody([]), await t.somebody([])]
    const [theirs, other] = [await screen(member.token), await screen(stranger.token)]
    await act('PATCH', '/roles/users', { users: [member.id], role: role.id })
    await expect
      .poll(() => theirs.heard)
      .toEqual([{ event: 'roleUpdated', data: { scopes: ['dns:zone:read'], isAdmin: false } }])
    await act('PATCH', `/roles/${role.id}`, { name: 'Alive' }) // no permission changes
    await act('PATCH', `/roles/${role.id}`, { scopes: [] })
    await expect.poll(() => theirs.heard.length).toBe(2)
    expect(theirs.heard[1]?.data).toEqual({ scopes: [], isAdmin: false })
    expect(other.heard).toEqual([])
  })
  it('of all existing permissions, which are too long for one NOTIFY', async () => {
    const scopes = Object.keys(permissions)
    const { body: role } = await act('POST', '/roles', { name: 'All of them', scopes })
    const member = await t.somebody([])
    const theirs = await screen(member.token)
    await act('PATCH', '/roles/users', { users: [member.id], role: role.id })
    await expect.poll(() => theirs.heard[0]?.data.scopes).toHaveLength(scopes.length)
    expect(JSON.stringify(theirs.heard[0]).length).toBeGreaterThan(8000)
  })
  it('of its new token when the department changes, and the token is valid', async () => {
    const { body: department } = await act('POST', '/departments', { name: 'Moved to' })
    const member = await t.somebody(['dns:zone:read'])
    const theirs = await screen(member.token)
    await act('PATCH', `/users/${member.id}`, { departmentId: department.id })
    await expect.poll(() => events(theirs)).toEqual(['updateCredentials'])
    const { jwt, userId, scopes } = theirs.heard[0]?.data ?? {}
    expect({ userId, scopes }).toEqual({ userId: member.id, scopes: ['dns:zone:read'] })
    expect(jwt).not.toBe(member.token)
    const { body } = await t.call('GET', '/api/auth/validate', { token: String(jwt) })
    expect(body.user).toMatchObject({ id: member.id, departmentId: department.id })
  })
  it('of new permissions and a new token when somebody becomes an administrator', async () => {
    const member = await t.somebody([])
    const theirs = await screen(member.token)
    await act('PATCH', `/users/${member.id}`, { isAdmin: true })
    await expect.poll(() => events(theirs)).toEqual(['roleUpdated', 'updateCredentials'])
    expect(theirs.heard[0]?.data.isAdmin).toBe(true)
  })
  it('of its sign-out, before it is closed', async () => {
    const member = await t.somebody([])
    const theirs = await screen(member.token)
    expect((await act('POST', '/forceLogout', { userId: member.id })).body).toEqual({ ended: 1 })
    await expect.poll(theirs.closed).toBe(4401)
    expect(events(theirs)).toEqual(['forceLogout'])
  })
  it('except of its own sign-out', async () => {
    const member = await t.somebody([])
    const theirs = await screen(member.token)
    await t.call('GET', '/api/auth/logout', { token: member.token })
    await expect.poll(theirs.closed).toBe(4401)
    expect(theirs.heard).toEqual([])
  })
  it('of its end by another session, whose screen stays open', async () => {
    const { id, token } = await t.somebody([])
    const second = await t.app.sessions.open(t.app.db, id, { ip: null, userAgent: 'another' })
    const [here, there] = [await screen(token), await screen(second)]
    const { body } = await t.call('DELETE', '/api/auth/sessions', { token })
    expect(body).toEqual({ ended: 1 })
    await expect.poll(there.closed).toBe(4401)
    expect(here.closed()).toBeUndefined()
    expect((await t.call('GET', '/api/auth/sessions', { token })).body.items).toMatchObject([{ current: true }])
  })
})
