import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import type { Source } from '../../kit/frame/search.ts'
import { websitesApi } from './api.ts'

const asHit = ({ id, domain, ownerName }: WebsiteRow) => ({
  id: `website ${id}`,
  label: domain,
  mono: true,
  description: ownerName,
  path: `/websites/${id}`,
})

/** Search source: websites by domain. */
export const websitesSource: Source = {
  group: 'Websites',
  access: websitesApi.list.endpoint.access,
  page: '/websites/$id',
  async find(domain, signal) {
    const { Websites } = await websitesApi.list(
      { ...(domain && { domain }), sort: 'domain', itemsPerPage: 7 },
      { signal },
    )
    return Websites.map(asHit)
  },
  async byId(id, signal) {
    const { Websites } = await websitesApi.list({ ids: [id] }, { signal })
    return Websites.map(asHit)
  },
}
