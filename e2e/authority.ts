import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPebble, type Pebble, startPebble } from '../server/net/ssl/test/pebble.ts'
import { onHosts } from './hosts.ts'
import { ends } from './sites.ts'
import type { Stage } from './stage.ts'

/** For `describe(name, withAuthority, …)`: skipped where practice hosts cannot run, or no authority is installed. */
export const withAuthority = hasPebble ? onHosts : { skip: true, meta: { why: 'pebble is not installed' } }

export interface Authority {
  pebble: Pebble
  /** A folder for what tests write beside it. */
  folder: string
  stop(): Promise<void>
}

/** Makes the host of the stage a name server, too, as which Innkeeper's zones are published. */
export async function asNameServer({ innkeeper, server }: Stage): Promise<void> {
  await innkeeper.must('PATCH', `/cloud-management/servers/${server}`, { type: 'all-in-one' })
  const repair = await innkeeper.must('POST', `/cloud-management/servers/${server}/services/powerdns/repair`)
  await ends(innkeeper, repair.workflowId, 'done')
}

/** Starts an authority that asks this resolver, and Innkeeper anew with both. `resolver`: an address, with a port if it is not 53. */
export async function openAuthority({ innkeeper }: Stage, resolver: string): Promise<Authority> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-authority-'))
  const pebble = await startPebble(80, resolver.includes(':') ? resolver : `${resolver}:53`)
  const ca = join(folder, 'directory.pem')
  writeFileSync(ca, pebble.ca)
  await innkeeper.kill()
  await innkeeper.start({
    INNKEEPER_ACME: pebble.directory,
    INNKEEPER_ACME_CA: ca,
    INNKEEPER_RESOLVER: resolver,
  })
  return {
    ...{ pebble, folder },
    async stop() {
      await pebble.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
