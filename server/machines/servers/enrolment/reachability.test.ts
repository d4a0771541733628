import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { openAtGateway, reachProblem } from './reachability.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

describe('the address for agents', () => {
  it.each([
    ['127.0.0.1', 'inn.example', 'listens on 127.0.0.1 alone'],
    ['::1', '10.0.0.1', 'listens on ::1 alone'],
    ['0.0.0.0', 'localhost', 'INNKEEPER_PUBLIC_HOST'],
    ['0.0.0.0', '[::1]', 'INNKEEPER_PUBLIC_HOST'],
  ])('listening on %s, a command with the address %s warns that %s', (host, to, why) =>
    expect(reachProblem({ agentHost: host }, to)).toContain(why))

  it.each(['inn.example', '192.0.2.1', '[2001:db8::1]'])('%s needs no warning', (to) =>
    expect(reachProblem({ agentHost: '0.0.0.0' }, to)).toBeNull())

  it('is shown with the command of a new server', async () => {
    const { token } = await t.somebody('admin')
    const { body } = await t.call('POST', '/api/cloud-management/servers', {
      token,
      body: { name: 'far-1', type: 'web' },
    })
    expect(body.enrolment.problem).toBe(reachProblem(t.app.settings, 'localhost'))
  })

  it('is the gateway of practice servers if Innkeeper listens on loopback only', async () => {
    const door = createServer((_, response) => response.end('the door')).listen(0, '127.0.0.1')
    await new Promise((resolve) => door.once('listening', resolve))
    const { port } = door.address() as AddressInfo // it listens on TCP
    const settings = { ...t.app.settings, agentHost: '127.0.0.1', agentPort: port }
    const close = await openAtGateway(settings, '127.0.0.9')
    expect(await (await fetch(`http://127.0.0.9:${port}`)).text()).toBe('the door')
    close()
    await expect(fetch(`http://127.0.0.9:${port}`)).rejects.toThrow()
    door.close()
  })

  it('is served by the agents’ port itself if that listens on all addresses', async () => {
    const close = await openAtGateway({ ...t.app.settings, agentHost: '0.0.0.0', agentPort: 1 }, '192.0.2.1')
    expect(close()).toBeUndefined()
  })
})
