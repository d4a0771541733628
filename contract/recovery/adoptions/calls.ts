import * as z from 'zod'
import { csv, del, filter, get, id, listQuery, pageOf, post, version } from '../../kit/endpoint.ts'
import { Adoption, AdoptionView, adoptionStatus } from './shapes.ts'

const base = '/adoptions'
const begun = z.object({ data: Adoption, workflowId: z.int() })
/** Names as the machine has them: compared with what was found, never used as a path. */
const foundName = z.string().min(1).max(253)

export const adoptions = {
  list: get(base, 'archive-import:import:read', {
    summary: 'Servers in use elsewhere whose websites come to Innkeeper, newest first',
    query: { ...listQuery(['createdAt']), status: filter(csv(adoptionStatus)), server: filter(csv(id)) },
    returns: pageOf(Adoption),
  }),
  one: get(`${base}/:id`, 'archive-import:import:read', {
    summary: 'What runs on a server in use elsewhere, and which names still lead to it',
    returns: AdoptionView,
  }),
  look: post(base, 'archive-import:import:create', {
    summary: 'Look at a server in use, such as one of the type adopted; nothing on it is changed',
    body: { serverId: id },
    returns: begun,
  }),
  lookAgain: post(`${base}/:id/look`, 'archive-import:import:create', {
    summary: 'Look at the server once more',
    body: { version },
    returns: begun,
  }),
  bring: post(`${base}/:id/bring`, 'archive-import:import:create', {
    summary: 'Read websites of one account for an import; the import is planned and started by itself',
    body: {
      /** The server that gets the websites. */
      serverId: id,
      account: foundName,
      /** Names of websites, databases and mail domains of the account. Absent: all. */
      websites: z.array(foundName).max(1000).optional(),
      databases: z.array(foundName).max(1000).optional(),
      mail: z.array(foundName).max(1000).optional(),
    },
    returns: z.object({ importId: z.int(), workflowId: z.int() }),
  }),
  check: post(`${base}/:id/check`, 'archive-import:import:create', {
    summary: 'Ask name servers soon which names still lead to the server',
    returns: z.object({ data: Adoption }),
  }),
  retire: post(`${base}/:id/retire`, 'archive-import:import:start', {
    summary: 'Declare that the server is not needed any more; only when no name leads to it',
    body: { version },
    returns: z.object({ data: Adoption }),
  }),
  remove: del(`${base}/:id`, 'archive-import:import:delete', {
    summary: 'Delete what was found on a server; its imports stay',
    status: 204,
  }),
}
