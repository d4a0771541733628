import { addOwner } from '../sites.ts'
import type { Calls } from './check.ts'
import type { Subject } from './kinds.ts'
import { prepare } from './sites.ts'
import { calmly, readWebsite } from './workflows.ts'
import type { World } from './world.ts'

/** The website that a round has to itself: it is made in calm, and no other round is about it. */
export const siteOf = ({ name, server }: Subject): Subject => ({ name: `${name}.example`, server })

export async function idOf(world: World, name: string): Promise<number> {
  const website = await readWebsite(world, name)
  if (!website) throw new Error(`${name} is not there`)
  return website.id
}

/** Makes it in calm, and takes these steps with it; a step may have to wait for packages. */
export const standing =
  (...steps: string[]) =>
  async (world: World, subject: Subject, calls: Calls): Promise<void> => {
    await prepare(world, siteOf(subject), await addOwner(world.api), 'active', calls)
    for (const step of steps) await calmly(world, step, subject, calls, { ms: 240_000 })
  }

/** The same, and its own check alone visits it: that it answers otherwise for a moment is what the round is about. */
export const alone =
  (...steps: string[]) =>
  async (world: World, subject: Subject, calls: Calls): Promise<void> => {
    await standing(...steps)(world, subject, calls)
    world.sites.delete(siteOf(subject).name)
  }
