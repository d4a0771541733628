import type { Calls } from './check.ts'
import type { State, Subject } from './kinds.ts'
import { calmly, readWebsite } from './workflows.ts'
import type { World } from './world.ts'

/** Creates the website of the round. */
export async function prepare(
  world: World,
  subject: Subject,
  owner: number,
  state: State,
  calls: Calls,
): Promise<void> {
  const step = async (kind: string) => {
    await calmly(world, kind, subject, calls, { owner })
    await keep(world, subject)
  }
  await step('website.create')
  if (state === 'trashed') await step('website.delete')
  if (state === 'suspended') await step('website.suspend')
}

/** Updates the expected state of the website from Innkeeper; answers it even if the website was deleted. */
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
