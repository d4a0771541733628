import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { isNull } from 'drizzle-orm'
import * as z from 'zod'
import { handedOut } from '../../../kit/agents/downloads.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { Refusal, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { action, type PlanStep, type Resource, step } from '../../../kit/work/action.ts'
import { describe, onEnd, start } from '../../../kit/work/workflow.ts'
import { agentUpdate } from '../actions.ts'
import { webBase } from '../services.ts'
import { servers } from '../tables.ts'
import { readServer, readServers } from '../view.ts'

interface By {
  id: number | null
  name: string
}
type Updated = Pick<Server, 'id' | 'name' | 'type' | 'webServer' | 'provisioned'>

/** Updates the agent of one server to the current build. 422 when the agent is current, unless `force`. */
export async function updateAgent(app: App, tx: Db, id: number, by: By, force = false): Promise<number> {
  const server = await readServer(app, tx, id)
  if (!server.lastSeenAt) throw refused(`${server.name} has no agent yet: enrol the server first`)
  if (!server.agentSkew && !force) throw refused(`${server.name} already has the current agent`)
  return begin(app, tx, server, by, [])
}

/**
 * Updates all outdated agents that are online: one server first, and the others only after its new agent has reported
 * in and rewritten its web server's files. So a defective agent affects one server only. Returns the first workflow and
 * the number of servers.
 */
export async function updateAgents(app: App, tx: Db, by: By): Promise<{ workflowId: number; servers: number }> {
  const [first, ...rest] = await outdated(app, tx)
  if (!first) throw refused('All connected agents are current')
  const workflowId = await begin(app, tx, first, by, rest)
  return { workflowId, servers: rest.length + 1 }
}

async function outdated(app: App, tx: Db): Promise<Server[]> {
  const found = await tx.select({ id: servers.id }).from(servers).where(isNull(servers.deletedAt)).orderBy(servers.id)
  const all = await readServers(
    app,
    tx,
    found.map(({ id }) => id),
  )
  return all.filter(({ agentSkew, observed, status }) => agentSkew && observed === 'online' && status === 'up')
}

async function begin(app: App, tx: Db, server: Updated, by: By, rest: readonly Updated[]): Promise<number> {
  const { id, name } = server
  const resource = { type: 'agent', id, name }
  const wanted = await handedOut(app.settings)
  return start(tx, {
    kind: 'server.update-agent',
    subject: { type: 'server', id, name },
    holder: by.name,
    startedById: by.id,
    plan: [
      step(agentUpdate, wanted, { server: id, resource }),
      ...(await asItWrites(app, tx, server, by, resource)),
      ...(rest.length ? [step(updateRest, { servers: rest.map((one) => one.id), by: by.name }, { resource })] : []),
    ],
    locks: [`server:${id}`],
  })
}

/** Rewrites the web server's files with the new agent, which may write them differently. See decision 34. */
async function asItWrites(app: App, tx: Db, server: Updated, by: By, resource: Resource): Promise<PlanStep[]> {
  if (!server.provisioned || !server.webServer) return []
  const { before, after } = await app.agentUpdated(tx, server, by.name, resource)
  return [...before, ...webBase(server, server.webServer), ...after]
}

/** Starts the updates of the other servers. A repeated run skips servers that are being updated or are current. */
const updateRest = action('agents.update-rest', z.object({ servers: z.array(z.int()).min(1), by: z.string() }), {
  title: 'The other agents',
  what: (input) =>
    `of ${input.servers.length} more ${input.servers.length === 1 ? 'server' : 'servers'}, now that this one works`,
  async run(input, { app, say, fence }) {
    for (const id of input.servers) {
      fence()
      try {
        await app.db.transaction((tx) => updateAgent(app, tx, id, { id: null, name: input.by }))
        say(`started on server ${id}`)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        say(`server ${id} is left out: ${error.message}`)
      }
    }
  },
})

/** Declares the workflows of this file, for domain.ts. */
export function agentWorkflows(): void {
  describe('server.update-agent', { title: 'Update agent', doing: 'getting a new agent' })
  onEnd('server.update-agent', (tx, { subjectId }) => changed(tx, 'servers', subjectId))
}
