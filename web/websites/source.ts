import { missing } from '@innkeeper/contract/access'
import { session } from '../kit/session.ts'
import type { Source } from '../shell/search.ts'
import { websitesApi } from './api.ts'

/** Websites by domain. */
export const websitesSource: Source = {
  group: 'Websites',
  async find(domain, signal) {
    if (missing(session.user, websitesApi.list.endpoint.access).length) return []
    const { Websites } = await websitesApi.list({ domain, sort: 'domain', itemsPerPage: 7 }, { signal })
    return Websites.map(({ id, domain: label, ownerName }) => ({
      id: `website ${id}`,
      label,
      mono: true,
      description: ownerName,
      path: `/websites/${id}`,
    }))
  },
}
