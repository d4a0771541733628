import { useReason } from '../../kit/access/reasons.ts'
import type { FilterChoice, Finds } from '../../kit/list/filterChoice.ts'
import { websitesApi } from './api.ts'

const byDomain: Finds = {
  query({ search, ids, itemsPerPage }) {
    const wish = { ...(search && { domain: search }), ...(ids && { ids }), sort: 'domain' as const, itemsPerPage }
    const { queryKey, queryFn } = websitesApi.list.query(wish)
    return {
      queryKey: [...queryKey, 'chosen'],
      async queryFn(context) {
        const { Websites, total } = await queryFn(context)
        return { items: Websites.map(({ id, domain }) => ({ id, name: domain })), total }
      },
    }
  },
}

/** Filter by websites; absent for people who may not see websites. */
export function useWebsiteChoice(key: 'website' | 'websiteId' | 'websiteIds'): FilterChoice[] {
  const lacking = useReason()
  return lacking(websitesApi.list) ? [] : [{ key, label: 'Website', options: [], call: byDomain }]
}
