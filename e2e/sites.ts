import { request } from 'node:http'
import type { MigrationWithDetails } from '@innkeeper/contract/hosting/moves/shapes'
import type { Website } from '@innkeeper/contract/hosting/websites'
import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import type { Innkeeper } from './innkeeper.ts'
import { untilStill } from './until.ts'
import { progressOf, workflow } from './workflows.ts'

export interface Started {
  data: Website
  workflowId: number
}
export interface Page {
  /** Status; 0: no answer. */
  status: number
  body: string
}

/** Sends GET to an address with a Host header, like a visitor whose DNS points there. */
export function visit(address: string, domain: string, path = '/', port = 80): Promise<Page> {
  return new Promise((resolve) => {
    const asked = request({ host: address, port, path, headers: { host: domain }, timeout: 20_000, agent: false })
    const none = () => resolve({ status: 0, body: '' })
    asked.on('response', (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body })).on('error', none)
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer in 20 s')))
    asked.on('error', none)
    asked.end()
  })
}

/** Visits a website ten times a second. `stop` answers the number of visits and the failures. */
export function visitor(address: string, domain: string): { stop(): Promise<{ visits: number; failures: string[] }> } {
  const failures: string[] = []
  const open: Promise<void>[] = []
  const timer = setInterval(() => {
    const at = new Date().toISOString()
    open.push(visit(address, domain).then(({ status }) => void (status === 200 || failures.push(`${at} ${status}`))))
  }, 100)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      return { visits: open.length, failures }
    },
  }
}

let owners = 0
/** A new owner, whose websites get a new account on the server. Answers the owner's id. */
export async function addOwner(innkeeper: Innkeeper): Promise<number> {
  const n = ++owners
  const owner = await innkeeper.must('POST', '/owners', { name: `Owner ${n}`, email: `owner${n}@example.org` })
  return owner.id
}

/** Requests a website, for a new owner unless `more` names one. */
export async function create(
  innkeeper: Innkeeper,
  originServer: number,
  domain: string,
  wanted: Record<string, unknown> = {},
): Promise<Started> {
  const userId = wanted.userId ?? (await addOwner(innkeeper))
  return innkeeper.must('POST', '/websites', { originServer, domain, plan: 'Business', ...wanted, userId })
}

/** Creates a website and waits until its workflow is done. */
export async function created(...asked: Parameters<typeof create>): Promise<Website> {
  const { data, workflowId } = await create(...asked)
  await ends(asked[0], workflowId, 'done')
  return asked[0].must('GET', `/websites/${data.id}`)
}

const stopped = ['done', 'failed', 'rolled-back', 'cancelled']

/** Waits until the workflow stops, for as long as it moves. Throws unless it has the expected status. */
export async function ends(
  innkeeper: Innkeeper,
  id: number,
  status: WorkflowWithActions['status'],
): Promise<WorkflowWithActions> {
  const look = async () => {
    const now = await workflow(innkeeper, id)
    return { done: stopped.includes(now.status) ? now : undefined, seen: await progressOf(innkeeper, now) }
  }
  const end = await untilStill(`workflow ${id} stops`, look)
  if (end.status === status) return end
  throw new Error(`Workflow ${id} is ${end.status}, not ${status}:\n${told(end)}`)
}

const told = ({ actions }: WorkflowWithActions) =>
  actions.map((a) => `${a.name} ${a.status} ${a.reason ?? ''}`).join('\n')

const resting = ['failed', 'soaking', 'done', 'rolled-back']

/** Waits until a move has the expected status. Throws with the output of its workflow if it stops in another status. */
export async function moved(
  innkeeper: Innkeeper,
  id: number,
  status: MigrationWithDetails['status'],
): Promise<MigrationWithDetails> {
  const move = await untilStill(`the move ${id} is ${status}`, async () => {
    const now: MigrationWithDetails = await innkeeper.must('GET', `/websites/migrations/${id}`)
    const run = now.workflow && (await progressOf(innkeeper, now.workflow))
    return { done: resting.includes(now.status) ? now : undefined, seen: `${now.status}\n${run}` }
  })
  if (move.status === status) return move
  throw new Error(
    `The move ${id} is ${move.status}, not ${status}: ${move.reason}\n${move.workflow ? told(move.workflow) : ''}`,
  )
}

/** Requests an action of people (retry, skip …) on an action of a workflow, by the action's name. */
export async function act(innkeeper: Innkeeper, id: number, name: string, ask: Record<string, unknown>) {
  const { actions } = await workflow(innkeeper, id)
  const action = actions.find((a) => a.name === name)
  if (!action) throw new Error(`Workflow ${id} has no action ${name}`)
  return innkeeper.call('PATCH', `/workflows/${id}/actions/${action.id}`, ask)
}
