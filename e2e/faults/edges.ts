import { certificateShown } from '../https.ts'
import type { Calls } from './check.ts'
import type { Subject } from './kinds.ts'
import { siteOf } from './own.ts'
import { asAllInOne, type Managed, type World } from './world.ts'

/** The edge of a website is the host that it is not on. */
export function edgeOf({ servers }: World, { server }: Subject): Managed {
  const edge = servers.find(({ id }) => id !== server.id)
  if (!edge) throw new Error('An edge is another host than the website’s own')
  return edge
}

type Prepare = (world: World, subject: Subject, calls: Calls) => Promise<void>
/** In calm: the other host is an edge too. */
export const edged =
  (prepare: Prepare): Prepare =>
  async (world, subject, calls) => {
    await asAllInOne(world, edgeOf(world, subject))
    await prepare(world, subject, calls)
  }

/** The edge shows over TLS what the website's own host shows; `there`: or nothing, where it is behind none. */
export async function showsAlike(world: World, subject: Subject, there: boolean): Promise<string[]> {
  const { name } = siteOf(subject)
  const wanted = there ? await certificateShown(subject.server.host.address, name) : 'none'
  const shown = await certificateShown(edgeOf(world, subject).host.address, name)
  return shown === wanted ? [] : [`the edge of ${name} shows the certificate ${shown}, not ${wanted}`]
}
