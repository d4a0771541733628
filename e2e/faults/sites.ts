import type { Calls } from './check.ts'
import type { State, Subject } from './kinds.ts'
import { ask, readWebsite, settle } from './workflows.ts'
import type { World } from './world.ts'

async function calmly(world: World, kind: string, subject: Subject, owner: number, calls: Calls): Promise<void> {
  const id = await ask(world, kind, subject, owner, calls, async () => {})
  const { status, reason } = await settle(world, id, 60_000)
  if (status !== 'done') throw new Error(`In calm, ${kind} of ${subject.name} came to ${status}: ${reason}`)
  await keep(world, subject)
}

/** Makes the website that the round is about. */
export async function prepare(
  world: World,
  subject: Subject,
  owner: number,
  state: State,
  calls: Calls,
): Promise<void> {
  await calmly(world, 'website.create', subject, owner, calls)
  if (state === 'trashed') await calmly(world, 'website.delete', subject, owner, calls)
  if (state === 'suspended') await calmly(world, 'website.suspend', subject, owner, calls)
}

/** Takes over what Innkeeper says of the website; answers it also when it is gone. */
export async function keep(world: World, { name, server }: Subject): Promise<State> {
  const website = await readWebsite(world, name)
  if (!website) {
    world.sites.delete(name)
    return 'gone'
  }
  const state = website.status === 'suspended' ? 'suspended' : 'active'
  world.sites.set(name, { website, server, state, steady: false })
  return state
}
