import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { Served } from '../../ssl/certificates/served.ts'
import type { StoredRules } from './tables.ts'
import type { EdgeRow } from './view.ts'
/** A vhost with the data for its steps: its website, the origin, and the edges. */
export interface Behind {
  id: number
  site: Site
  /** Address of the origin server. */
  origin: string
  cdn: boolean
  minutes: number
  stale: boolean
  rules: StoredRules
  edges: readonly Edge[]
  /** True: the website is suspended, so that its pages are not cached. */
  suspended: boolean
  /** The certificate and https settings of the website, if any. */
  served: Served | undefined
}

export type Edge = Pick<EdgeRow, 'serverId' | 'serverName' | 'network'> & { address?: string | null }
