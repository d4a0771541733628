import { addOwner } from '../sites.ts'
import type { Dice } from './dice.ts'
import { type Kind, kinds, type State, type Subject } from './kinds.ts'
import type { World } from './world.ts'

export const throwKind = (d: Dice, light = false): string =>
  d.pick(
    Object.entries(kinds).flatMap(([name, { weight, heavy }]) => Array<string>(light && heavy ? 0 : weight).fill(name)),
  )

/** Finds a subject for the workflow, or answers in `make` what has to be created before the fault. */
export async function choose(
  world: World,
  kind: string,
  d: Dice,
  fresh: string,
): Promise<{ subject: Subject; owner: number; make?: State }> {
  const { website, prepare } = kindOf(kind)
  const server = d.pick(world.servers)
  if (prepare) return { subject: { name: fresh.replace('.example', ''), server }, owner: 0 }
  if (!website) return { subject: { name: server.host.name, server }, owner: 0 }
  const fitting = [...world.sites.values()].filter((site) => !site.steady && site.state === website.before)
  if (fitting.length) {
    const site = d.pick(fitting)
    return { subject: { name: site.website.domain, server: site.server }, owner: 0 }
  }
  const owner = await addOwner(world.api)
  return { subject: { name: fresh, server }, owner, ...(website.before !== 'gone' && { make: website.before }) }
}

export function kindOf(name: string): Kind {
  const kind = kinds[name]
  if (!kind) throw new Error(`The fault test has no kind ${name}`)
  return kind
}
