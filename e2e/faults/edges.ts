import { certificateShown } from '../https.ts'
import type { Calls } from './check.ts'
import type { Subject } from './kinds.ts'
import { siteOf } from './own.ts'
import { asAllInOne, type Managed, type World } from './world.ts'

/** The edge of a website is the other host. */
export function edgeOf({ servers }: World, { server }: Subject): Managed {
  const edge = servers.find(({ id }) => id !== server.id)
  if (!edge) throw new Error('An edge is another host than the website’s own')
  return edge
}

type Prepare = (world: World, subject: Subject, calls: Calls) => Promise<void>
/** Before the fault: makes the other host an edge too. */
export const edged =
  (prepare: Prepare): Prepare =>
  async (world, subject, calls) => {
    await asAllInOne(world, edgeOf(world, subject))
    await prepare(world, subject, calls)
  }

/** The edge serves the same certificate as the origin over TLS; with `there`, nothing if the website has no edge. */
export async function showsAlike(world: World, subject: Subject, there: boolean): Promise<string[]> {
  const { name } = siteOf(subject)
  const wanted = there ? await certificateShown(subject.server.host.address, name) : 'none'
  const shown = await certificateShown(edgeOf(world, subject).host.address, name)
  return shown === wanted ? [] : [`the edge of ${name} serves the certificate ${shown}, not ${wanted}`]
}
