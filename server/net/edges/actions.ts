import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const edgeCacheClear = action('edge-cache.clear', operations['edge-cache.clear'], {
  title: 'Cached pages',
  what({ urls, prefixes }) {
    const named = [...(urls ?? []), ...(prefixes ?? []).map((prefix) => `${prefix}…`)]
    return named.length
      ? `${named.slice(0, 3).join(', ')}${named.length > 3 ? ' …' : ''} are deleted from the cache`
      : 'all pages are deleted from the cache'
  },
})
