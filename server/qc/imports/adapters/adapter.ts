import type { ImportItem } from '@innkeeper/contract/qc/sources'
import type { SourceType } from '@innkeeper/contract/qc/values'
import type { z } from 'zod'
import type { Items } from '../source.ts'
import { requestTracker } from './requestTracker.ts'
import { xmpp } from './xmpp.ts'

/** An item before it is checked: fields with defaults may be absent. */
export type RawItem = z.input<typeof ImportItem>

/** What an adapter is asked with. */
export interface Asked {
  config: Readonly<Record<string, string>>
  secret: string
  /** Up to where the last run has read; null: from the beginning. */
  cursor: string | null
}
/** A help desk that we ask. It yields items in the order of its cursor, again some that were yielded before. */
export interface Adapter {
  /** The missing settings, as an error text by field; undefined: none is missing. */
  lacks(config: Asked['config']): Record<string, string> | undefined
  read(asked: Asked): Items
}

/** Adapters by type of source. JSON lines are sent to us. A new help desk is one file and a line here. */
export const adapters: Partial<Record<SourceType, Adapter>> = { rt: requestTracker, xmpp }
