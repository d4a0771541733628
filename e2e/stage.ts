import type { Host } from '@innkeeper/lab/host'
import type { Lab } from '@innkeeper/lab/lab'
import type { Layer } from '@innkeeper/lab/layers'
import { enrol, freshHost, openHosts } from './hosts.ts'
import { Innkeeper, type Wanted } from './innkeeper.ts'

/** An Innkeeper with one enrolled practice host, for most of these tests. */
export interface Stage {
  innkeeper: Innkeeper
  lab: Lab
  host: Host
  /** Id of the host as a server. */
  server: number
  /** Ends and deletes everything; rejects with what could not be deleted. */
  close(): Promise<void>
}

/** Opens a stage whose host has this layer of packages and is enrolled as this type, web by default. */
export async function openStage(
  name: string,
  { layer, type, ...wanted }: Wanted & { layer?: Layer; type?: 'mail' } = {},
): Promise<Stage> {
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    const errors: unknown[] = []
    for (const end of closing.splice(0).reverse()) await end().catch((error: unknown) => errors.push(error))
    if (errors.length) throw new AggregateError(errors, 'Parts of the stage could not be deleted')
  }
  try {
    const lab = await openHosts()
    closing.push(() => lab.close())
    const innkeeper = await Innkeeper.open({ ...wanted, publicHost: lab.network.gateway })
    closing.push(() => innkeeper.close())
    const host = await freshHost(lab, name, layer)
    closing.push(() => host.wipe())
    return { innkeeper, lab, host, server: await enrol(innkeeper, host, type), close }
  } catch (error) {
    await close().catch((left: unknown) => console.error(left))
    throw error
  }
}
