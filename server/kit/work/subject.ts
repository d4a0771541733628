import type { SQL } from 'drizzle-orm'
import type { Staff } from '../access/sessions.ts'

/** Permissions for the workflows of one subject type. */
export interface Subject {
  /** The permission to see these workflows. */
  see: string
  /** The permission to act on them, in addition to the permission of the call. */
  act?: string
  /** Limits the visible workflows; absent: all of this subject type. */
  rows?(staff: Staff): SQL
}
