import { addOwner } from '../sites.ts'
import type { Calls } from './check.ts'
import type { Subject } from './kinds.ts'
import { prepare } from './sites.ts'
import { calmly, readWebsite } from './workflows.ts'
import type { World } from './world.ts'

/** The website of this round only, created before the fault. */
export const siteOf = ({ name, server }: Subject): Subject => ({ name: `${name}.example`, server })

export async function idOf(world: World, name: string): Promise<number> {
  const website = await readWebsite(world, name)
  if (!website) throw new Error(`${name} does not exist`)
  return website.id
}

/** Creates the website before the fault, and runs these steps; a step may install packages. */
export const standing =
  (...steps: string[]) =>
  async (world: World, subject: Subject, calls: Calls): Promise<void> => {
    await prepare(world, siteOf(subject), await addOwner(world.api), 'active', calls)
    for (const step of steps) await calmly(world, step, subject, calls)
  }

/** The same, visited only by its own check, because the round makes it answer differently for a moment. */
export const alone =
  (...steps: string[]) =>
  async (world: World, subject: Subject, calls: Calls): Promise<void> => {
    await standing(...steps)(world, subject, calls)
    world.sites.delete(siteOf(subject).name)
  }

export const its = (subject: Subject) => siteOf(subject).name
