import type { FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import type { Layout } from '../archives/layout.ts'

/** Where a part of an account lies on this machine, by the path that it has in the archive. */
export type Source = { folder: string } | { database: string }

/** An account of this machine, laid out as in an archive. */
export interface MachineAccount {
  layout: Layout
  sources: Map<string, Source>
}

/** What runs here besides websites. */
export type Beside = FoundMachine['others'][number]
