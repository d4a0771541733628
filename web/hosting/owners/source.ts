import type { Source } from '../../kit/frame/search.ts'
import { ownersApi } from './api.ts'

/** Searches owners by name or email; a hit leads to their websites. */
export const ownersSource: Source = {
  group: 'Owners',
  access: ownersApi.list.endpoint.access,
  async find(search, signal) {
    const { items } = await ownersApi.list({ search, itemsPerPage: 5 }, { signal })
    return items.map(({ id, name, email, websites }) => ({
      id: `owner ${id}`,
      label: name,
      description: `${email} · ${websites === 1 ? '1 website' : `${websites} websites`}`,
      path: `/websites?userid=${id}`,
    }))
  },
}
