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

interface Member {
  serverId: number
  credential: string
}

/** Adds servers with credentials for their agents. */
export async function addServers({ inside: { app } }: Stage, n: number): Promise<Member[]> {
  const stamp = Date.now().toString(36)
  const credentials = Array.from({ length: n }, () => randomBytes(32).toString('base64url'))
  const now = new Date().toISOString()
  const made = await app.db
    .insert(servers)
    .values(
      credentials.map((credential, i) => ({
        ...{ name: `bench-${stamp}-${i}`, type: 'web' as const, enrolledAt: now, provisionedAt: now },
        credentialHash: createHash('sha256').update(credential).digest('hex'),
      })),
    )
    .returning({ serverId: servers.id })
  return made.map(({ serverId }, i) => ({ serverId, credential: credentials[i]! }))
}

/** Adds servers whose agents this process plays. */
export async function enrolled(stage: Stage, n: number): Promise<StubAgent[]> {
  const port = stage.ours.port + 43 // the port of the agent API follows PORT
  return (await addServers(stage, n)).map(({ credential, serverId }) => openAgent(port, serverId, credential))
}

/** Plays one agent. */
export function openAgent(port: number, serverId: number, credential: string): StubAgent {
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
