import type { User } from '@innkeeper/contract/access/users/shapes'
import { missing } from '@innkeeper/contract/kit/access'
import { session } from '../../kit/access/session.ts'
import type { Source } from '../../kit/frame/search.ts'
import { usersApi } from './api.ts'

/** Without permission to edit, a hit leads to the row in the list. */
const asHit = ({ id, name, username, roleName }: User) => ({
  id: `user ${id}`,
  label: name,
  description: [username, roleName].filter(Boolean).join(' · '),
  path: missing(session.user, usersApi.update.endpoint.access).length
    ? `/users?search=${encodeURIComponent(username)}`
    : `/users/edit/${id}`,
})

/** Searches staff by name, user name or email. */
export const usersSource: Source = {
  group: 'Staff',
  access: usersApi.list.endpoint.access,
  async find(search, signal) {
    const { items } = await usersApi.list({ search, itemsPerPage: 5 }, { signal })
    return items.map(asHit)
  },
  async byId(id, signal) {
    const { items } = await usersApi.byIds({ ids: [id] }, { signal })
    return items.map(asHit)
  },
}
