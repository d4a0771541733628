import * as z from 'zod'
import { sha256 } from '../../agent/shapes.ts'
import { csv, del, filter, get, id, listQuery, pageOf, post, version } from '../../kit/endpoint.ts'
import { phpVersion, servedName, sitePath } from '../../kit/values.ts'
import { application } from '../../net/originVhosts/applications.ts'
import { Adoption, AdoptionView, adoptionStatus, Place, PlacePlan } from './shapes.ts'

const base = '/adoptions'
/** A website of the machine that is taken over where it lies. */
const onPlace = z.object({ data: Place, workflowId: z.int() })
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
  place: get(`${base}/:id/place`, 'archive-import:import:read', {
    summary: 'What taking over a website where it lies would change, file by file; nothing is changed',
    query: { account: foundName, website: foundName, userId: id.optional(), plan: id.optional() },
    returns: PlacePlan,
  }),
  take: post(`${base}/:id/places`, 'archive-import:import:start', {
    summary: 'Take over a website where it lies; it can be given back until somebody accepts',
    body: {
      ...{ account: foundName, website: foundName },
      /** Owner and plan of the website. */
      ...{ userId: id, plan: id },
      /** From the plan that people saw. The agent refuses a website that has changed since. */
      seen: sha256,
      ...{ root: sitePath, phpVersion },
      serves: z.array(servedName).max(300),
      redirects: z.array(servedName).max(300),
      application: application.extract(['front-controller', 'files']),
      /** Its certificate, from the plan: `renews` if Innkeeper renews it, `stays` if nobody does. Absent: it has none. */
      certificate: z.enum(['renews', 'stays']).optional(),
    },
    status: 202,
    returns: onPlace,
  }),
  acceptPlace: post(`${base}/places/:id/accept`, 'archive-import:import:start', {
    summary: 'Accept a website that was taken over: it cannot be given back afterwards',
    status: 202,
    returns: onPlace,
  }),
  undoPlace: post(`${base}/places/:id/undo`, 'archive-import:import:start', {
    summary: 'Give a website back to its former configuration',
    status: 202,
    returns: onPlace,
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
