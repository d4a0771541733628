import { join } from 'node:path'
import { buildAgent } from '../../agent/build.ts'
import type { Innkeeper } from '../innkeeper.ts'
import { scratch } from '../innkeeper.ts'
import { addOwner, create, ends } from '../sites.ts'
import { openStage } from '../stage.ts'
import type { Standing } from './apiRequests.ts'
import { type Facts, factsOf } from './facts.ts'
import { guest } from './fixtures.ts'

export interface ApiWorld {
  innkeeper: Innkeeper
  on: Standing
  facts(): Promise<Facts>
  /** Deletes what undo keeps: the trash and its notes. */
  tidy(): Promise<unknown>
  close(): Promise<void>
}
const name = 'hostile-api'
const kept = ['/var/lib/innkeeper/trash', '/var/lib/innkeeper/notes/nginx-site-removed']

/** An Innkeeper with one practice host, an owner with an account, a website and a group there, and an unused plan. */
export async function openApiWorld(): Promise<ApiWorld> {
  await buildAgent() // Innkeeper serves the built agent
  const { innkeeper, host, server, close } = await openStage(name)
  try {
    const [owner, heir] = [await addOwner(innkeeper), await addOwner(innkeeper)]
    const { data, workflowId } = await create(innkeeper, server, 'home.example', { userId: owner, systemUser: guest })
    const done = await ends(innkeeper, workflowId, 'done')
    const plan = await innkeeper.must('POST', '/system-user/plans', { name: 'Spare' })
    const group = await innkeeper.must('POST', '/groups', { ownerId: owner, mainWebsite: data.id })
    const on: Standing = {
      ...{ server, owner, heir, site: data.id, account: data.systemUserId, plan: plan.id, group: group.id },
      ...{ workflow: workflowId, action: done.actions[0]?.id ?? 0 },
    }
    return {
      innkeeper,
      on,
      facts: () => factsOf(host, join(scratch, 'lab/hosts', name, 'upper')),
      tidy: () => host.exec(['find', ...kept, '-mindepth', '1', '-delete']),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
