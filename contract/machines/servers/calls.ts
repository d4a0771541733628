import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version } from '../../kit/endpoint.ts'
import { hostName, machineAddress, phpVersion } from '../../kit/values.ts'
import {
  Enrolment,
  Impact,
  observed,
  Practice,
  Server,
  ServerView,
  serverStatus,
  serverType,
  serviceName,
  typeService,
  webServer,
} from './shapes.ts'

export const serverFields = {
  name: hostName,
  type: serverType,
  address: machineAddress.optional(),
  note: line(300).optional(),
  acceptsNew: z.boolean().optional(),
  webServer: webServer.optional(),
}
const base = '/cloud-management'

export const servers = {
  list: get(`${base}/servers`, 'server:server:read', {
    summary: 'Servers, filtered by type or ids; sort `place` lists servers with the most room for a website first',
    query: {
      ...listQuery(['name', 'type', 'lastSeenAt', 'createdAt', 'place'], 50),
      type: filter(csv(serverType)),
      ids: filter(csv(id)),
      status: filter(serverStatus),
      observed: filter(csv(observed)),
      search: filter(z.string().trim().max(120)),
    },
    returns: pageOf(Server),
  }),
  create: post(`${base}/servers`, 'server:server:create', {
    summary: 'Add a server and answer its one-use enrolment command',
    body: serverFields,
    returns: Server.extend({ enrolment: Enrolment }),
  }),
  types: get(`${base}/server-types`, 'server:type:read', {
    summary: 'Server types with their services',
    returns: z.object({
      items: z.array(z.object({ name: serverType, services: z.array(typeService), version: z.int() })),
    }),
  }),
  services: get(`${base}/server-types/:type/services`, 'server:type:read', {
    summary: 'Services of a type',
    params: { type: serverType },
    returns: z.object({ type: serverType, services: z.array(typeService), version: z.int() }),
  }),
  updateServices: patch(`${base}/server-types/:type/services`, 'server:type:update', {
    summary: 'Change the services of a type',
    params: { type: serverType },
    body: { services: z.array(typeService).max(20), version },
    returns: z.object({ type: serverType, services: z.array(typeService), version: z.int() }),
  }),
  remove: del(`${base}/servers/:id`, 'server:server:delete', {
    summary: 'Remove an empty server and revoke its agent',
    body: { version },
  }),
  view: get(`${base}/servers/view/:id`, 'server:server:read', {
    summary: 'One server with its load of the last hour',
    returns: ServerView,
  }),
  impact: get(`${base}/servers/:id/impact`, 'server:server:read', {
    summary: 'Objects affected by setting a server Down',
    returns: Impact,
  }),
  status: patch(`${base}/servers/:id/status`, 'server:server:status', {
    summary: 'Set the desired status, Up or Down',
    body: { status: z.preprocess((v) => (typeof v === 'string' ? v.toLowerCase() : v), serverStatus), version },
    returns: Server,
  }),
  update: patch(`${base}/servers/:id`, 'server:server:update', {
    summary: 'Change a server',
    body: {
      name: hostName.optional(),
      address: machineAddress.nullable().optional(),
      note: line(300).nullable().optional(),
      acceptsNew: z.boolean().optional(),
      /** Can only be changed while the server has no websites. */
      webServer: webServer.optional(),
      type: serverType.optional(),
      version,
    },
    returns: Server,
  }),
  enrol: post(`${base}/servers/:id/enrolment`, 'server:server:update', {
    summary: 'Create a new one-use enrolment command and invalidate the old one',
    returns: Enrolment,
  }),
  revoke: del(`${base}/servers/:id/credential`, 'server:server:update', { summary: "Revoke the agent's credential" }),
  provision: post(`${base}/servers/:id/provision`, 'server:server:update', {
    summary: 'Set up the services of the server type',
    status: 202,
    returns: z.object({ workflowId: z.int() }),
  }),
  repair: post(`${base}/servers/:id/services/:service/repair`, 'server:server:update', {
    summary: 'Repair a service of the server type',
    params: { id, service: serviceName },
    status: 202,
    returns: z.object({ workflowId: z.int() }),
  }),
  addPhp: post(`${base}/servers/:id/php-versions`, 'server:server:update', {
    summary: 'Install a further PHP version',
    body: { phpVersion },
    status: 202,
    returns: z.object({ workflowId: z.int() }),
  }),
  updateAgent: post(`${base}/servers/:id/agent-update`, 'server:server:update', {
    summary: 'Update the agent; an agent that does not report is rolled back',
    /** True: updates even if the version is the same. */
    body: { force: z.boolean().optional() },
    status: 202,
    returns: z.object({ workflowId: z.int() }),
  }),
  updateAgents: post(`${base}/agent-updates`, 'server:server:update', {
    summary: 'Update all outdated agents: one first, then the others',
    status: 202,
    returns: z.object({ workflowId: z.int(), servers: z.int() }),
  }),
  practice: get(`${base}/practice`, 'signedIn', { summary: 'Progress of the practice servers', returns: Practice }),
  addPractice: post(`${base}/practice`, 'server:server:create', {
    summary: 'Add a practice server of a type',
    body: { type: serverType },
    effect: 'stream', // the host boots outside a transaction
    status: 202,
    returns: Practice,
  }),
  useThisMachine: post(`${base}/practice/here`, 'server:server:create', {
    summary: 'Use this machine as the practice server',
    status: 202,
    returns: Practice,
  }),
}
