import type { plans } from '../../../hosting/plans/tables.ts'

/** The target of an import. */
export interface Target {
  server: { id: number; name: string; address: string | null; webServer: string }
  ownerId: number | undefined
  phpVersions: string[]
  plan: typeof plans.$inferSelect | undefined
  /** Whether the server has mail. */
  mail: boolean
}
