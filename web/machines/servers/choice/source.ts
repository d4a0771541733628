import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import type { Source } from '../../../kit/frame/search.ts'
import { serversApi } from '../api.ts'
import { typeWord } from '../words.ts'

const asHit = ({ id, name, type, address }: Server) => ({
  id: `server ${id}`,
  label: name,
  mono: true,
  description: [typeWord(type), address].filter(Boolean).join(', '),
  path: `/server/${id}`,
})

/** Search source: servers by name or address. */
export const serversSource: Source = {
  group: 'Servers',
  access: serversApi.list.endpoint.access,
  page: '/server/$server',
  async find(search, signal) {
    const { items } = await serversApi.list({ ...(search && { search }), itemsPerPage: 5 }, { signal })
    return items.map(asHit)
  },
  async byId(id, signal) {
    const { items } = await serversApi.list({ ids: [id] }, { signal })
    return items.map(asHit)
  },
}
