import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Innkeeper, password, repository } from './innkeeper.ts'

// `npm run dev`: Vite serves the screens and passes /api and /ws on to the server, which compares Origin with Host
let innkeeper: Innkeeper
let vite: ViteDevServer
let origin: string
beforeAll(async () => {
  innkeeper = await Innkeeper.open({ embedded: true })
  process.env.PORT = String(innkeeper.port) // read by the configuration
  const configFile = join(repository, 'web/vite.config.ts')
  vite = await createServer({ configFile, server: { port: 0, strictPort: false, watch: null }, logLevel: 'error' })
  delete process.env.PORT
  await vite.listen()
  origin = `http://localhost:${(vite.httpServer?.address() as AddressInfo).port}` // it listens
})
afterAll(async () => {
  await vite?.close()
  await innkeeper?.close()
})

test('a page of the development server writes, and hears of changes', async () => {
  const page = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(`${origin}/api${path}`, { method: 'POST', headers: { ...page, ...headers }, body: JSON.stringify(body) })
  const signedIn = await post('/auth/token', { 'x-innkeeper-session': 'any' }, { user: 'admin', password })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const own = { cookie, 'x-innkeeper-session': 'any' }
  const { user } = await (await fetch(`${origin}/api/auth/validate`, { headers: { ...page, ...own } })).json()
  const made = await post('/auth/departments', own, { name: 'Made here' })
  expect([made.status, await made.text()]).toEqual([201, expect.stringContaining('Made here')])

  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, ['innkeeper', user.jwt], {
    headers: { origin, cookie },
  })
  await Promise.race([once(socket, 'open'), once(socket, 'error').then(([error]) => Promise.reject(error))])
  socket.close()
})
