import * as z from 'zod'
import { csv, del, filter, get, id, listQuery, pageOf, patch, post, version } from '../../kit/endpoint.ts'
import { day } from '../qc/values.ts'
import { base, search, userFields } from './organisation.ts'
import { DossierUser, FreeUser } from './shapes.ts'

export const userCalls = {
  users: get(`${base}/users`, 'dossier:user:read', {
    summary: 'Staff with a dossier',
    query: {
      ...listQuery(['name', 'createdAt']),
      search,
      teamId: filter(csv(id)),
      positionId: filter(csv(id)),
      /** Also people whose account was deleted. */
      withGone: filter(z.enum(['true'])),
      /** Closed dossiers instead of open ones. */
      isClosed: filter(z.enum(['true'])),
    },
    returns: pageOf(DossierUser),
  }),
  freeUsers: get(`${base}/free-users`, 'dossier:user:read', {
    summary: 'Staff without a dossier',
    query: { ...listQuery(['name']), search },
    returns: pageOf(FreeUser),
    aliases: [`${base}/users/free`],
  }),
  user: get(`${base}/users/:id`, 'dossier:user:read', {
    summary: 'One dossier, by the id of the person',
    own: 'id',
    returns: DossierUser,
  }),
  createUser: post(`${base}/users`, 'dossier:user:create', {
    summary: 'Open the dossier of a staff member, with the first membership if a team is given',
    body: {
      userId: id,
      ...userFields,
      teamId: id.optional(),
      positionId: id.optional(),
      /** First day in the team; today by default. */
      from: day.optional(),
    },
    returns: DossierUser,
  }),
  updateUser: patch(`${base}/users/:id`, 'dossier:user:update', {
    summary: 'Change a dossier',
    body: { ...userFields, version },
    returns: DossierUser,
  }),
  removeUser: del(`${base}/users/:id`, 'dossier:user:delete', {
    summary: 'Close a dossier. Memberships end today; entries stay for those who may read them',
    body: { version },
    status: 204,
  }),
}
