import type { Source } from '../../kit/frame/search.ts'

/** Search source: zones by domain. The calls of DNS load with the first search. */
export const zonesSource: Source = {
  group: 'Zones',
  access: 'dns:zone:read',
  page: '/dns/zone/$id',
  async find(search, signal) {
    const { dnsApi } = await import('./api.ts')
    const { items } = await dnsApi.zones({ ...(search && { search }), sort: 'domain', itemsPerPage: 5 }, { signal })
    return items.map(({ id, domain }) => ({
      id: `zone ${id}`,
      label: domain,
      mono: true,
      description: 'DNS zone',
      path: `/dns/zone/${id}`,
    }))
  },
}
