import { missing } from '@innkeeper/contract/access'
import { session } from '../kit/session.ts'
import type { Source } from '../shell/search.ts'
import { serversApi } from './api.ts'
import { typeWord } from './words.ts'

/** Servers by name or address. */
export const serversSource: Source = {
  group: 'Servers',
  async find(search, signal) {
    if (missing(session.user, serversApi.list.endpoint.access).length) return []
    const { items } = await serversApi.list({ search, itemsPerPage: 5 }, { signal })
    return items.map(({ id, name, type, address }) => ({
      id: `server ${id}`,
      label: name,
      mono: true,
      description: [typeWord(type), address].filter(Boolean).join(', '),
      path: `/server/${id}`,
    }))
  },
}
