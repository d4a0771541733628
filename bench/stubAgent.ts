import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:https'
import type { DoorAnswer, DoorBody, DoorPath } from '@innkeeper/contract/agent/door'
import { servers } from '../server/machines/servers/tables.ts'
import type { Stage } from './stage.ts'

export interface StubAgent {
  serverId: number
  knock<P extends DoorPath>(path: P, body: DoorBody<P>): Promise<DoorAnswer<P>>
  close(): void
}

/** Adds servers whose agents this process plays. */
export async function enrolled({ inside: { app }, ours }: Stage, n: number): Promise<StubAgent[]> {
  const stamp = Date.now().toString(36)
  const agents = Array.from({ length: n }, (_, i) => ({
    name: `bench-${stamp}-${i}`,
    credential: randomBytes(32).toString('base64url'),
  }))
  const made = await app.db
    .insert(servers)
    .values(
      agents.map(({ name, credential }) => {
        const credentialHash = createHash('sha256').update(credential).digest('hex')
        const now = new Date().toISOString()
        return { name, type: 'web', credentialHash, enrolledAt: now, provisionedAt: now }
      }),
    )
    .returning({ id: servers.id })
  const port = ours.port + 43 // the port of the agent API follows PORT
  return agents.map(({ credential }, i) => openAgent(port, made[i]!.id, credential))
}

function openAgent(port: number, serverId: number, credential: string): StubAgent {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false }) // the stub agent has no pinned key
  return {
    serverId,
    knock: (path, body) =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
        const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent })
        asked.on('error', reject).on('response', (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          answer.on('end', () => (answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))))
        })
        asked.end(JSON.stringify(body))
      }),
    close: () => agent.destroy(),
  }
}
