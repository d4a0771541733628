import type { ImportItem } from '@innkeeper/contract/quality/qc/sourceShapes'
import type { z } from 'zod'
import type { Reach } from '../../../../kit/outgoing/reach.ts'
import type { Items } from '../source.ts'

/** An item before it is checked: fields with defaults may be absent. */
export type RawItem = z.input<typeof ImportItem>

/** Input of an adapter's read. */
export interface Asked {
  reach: Reach
  config: Readonly<Record<string, string>>
  secret: string
  /** Where the last run stopped reading; null to read from the beginning. */
  cursor: string | null
  /** Ids of items that earlier runs could not read, the oldest attempt first: the adapter reads some of them again. */
  unread: readonly string[]
}
/** Reads a help desk. Yields items in the order of the cursor, some of them repeatedly from earlier runs. */
export interface Adapter {
  /** Error texts for missing settings, by field; undefined if none is missing. */
  lacks(config: Asked['config']): Record<string, string> | undefined
  read(asked: Asked): Items
}
