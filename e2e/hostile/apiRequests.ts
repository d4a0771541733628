import { addressOf, type Call, calls } from '../../server/test/hostile/calls.ts'
import type { Answer, Innkeeper } from '../innkeeper.ts'
import { ends } from '../sites.ts'

/** Ids of the fixtures that exist while values are tried. */
export interface Standing {
  server: number
  owner: number
  heir: number
  site: number
  account: number
  plan: number
  group: number
  workflow: number
  action: number
}
export interface Request {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}
interface WellBehaved {
  body?: Record<string, unknown>
  /** The call makes a server do work. */
  acts?: true
  /** Undoes an accepted call. */
  undo?(innkeeper: Innkeeper, answer: Answer['body']): Promise<unknown>
}
/** Marker words that occur nowhere else. */
export const apiMarkers = {
  domain: 'marker.example',
  systemUser: 'markeruser',
  username: 'markeruser',
  reason: 'mark it',
}

/** Domains whose values reach servers: all of their calls are tried. */
const reaching = ['servers', 'owners', 'plans', 'systemUsers', 'groups', 'websites', 'workflows']

const gone = async (innkeeper: Innkeeper, path: string, body: Record<string, unknown> = {}) => {
  const { workflowId } = (await innkeeper.must('DELETE', path, body)) ?? {}
  if (workflowId) await ends(innkeeper, workflowId, 'done')
}
const change = async (innkeeper: Innkeeper, path: string, body: Record<string, unknown>) => {
  const { workflowId } = await innkeeper.must('PATCH', path, body)
  if (workflowId) await ends(innkeeper, workflowId, 'done')
}

/** A valid body per call; calls without an entry accept an empty body. A call that does not is reported below. */
const wellBehaved = (on: Standing): Record<string, WellBehaved> => ({
  'websites.create': {
    body: {
      ...{ originServer: on.server, userId: on.owner, plan: 'Business' },
      ...{ domain: apiMarkers.domain, systemUser: apiMarkers.systemUser },
    },
    acts: true,
    async undo(innkeeper, { data }) {
      await gone(innkeeper, `/websites/${data.id}`)
      await gone(innkeeper, `/websites/${data.id}/trash`, { domain: data.domain })
    },
  },
  'websites.purge': { body: { domain: 'home.example' } },
  'websites.status': {
    body: { status: 'suspended', reason: apiMarkers.reason },
    acts: true,
    undo: (innkeeper) => change(innkeeper, `/websites/${on.site}`, { status: 'active' }),
  },
  'websites.php': { body: { phpVersion: '8.2' } },
  'websites.updateAction': { body: { actionType: 'retry' } },
  'workflows.update': { body: { actionType: 'retry' } },
  'systemUsers.create': {
    body: { username: apiMarkers.username, originServer: on.server, ownerId: on.heir, planId: 1 },
    acts: true,
    undo: (innkeeper, { data }) => gone(innkeeper, `/system-user/system-users/${data.id}`),
  },
  'systemUsers.update': {
    body: { status: 'suspended', reason: apiMarkers.reason },
    acts: true,
    undo: (innkeeper) => change(innkeeper, `/system-user/system-users/${on.account}`, { status: 'active' }),
  },
  'systemUsers.plan': { body: { planId: 1 } },
  'plans.create': {
    body: { name: 'Marker plan' },
    undo: (innkeeper, { id }) => gone(innkeeper, `/system-user/plans/${id}`),
  },
  'plans.update': { undo: (innkeeper) => change(innkeeper, `/system-user/plans/${on.plan}`, { name: 'Spare' }) },
  'owners.create': { body: { name: 'Marker', email: 'marker@example.org' } },
  'servers.create': {
    body: { name: 'marker-1', type: 'web' },
    undo: (innkeeper, { id }) => gone(innkeeper, `/cloud-management/servers/${id}`),
  },
  'servers.update': {
    undo: (innkeeper) =>
      change(innkeeper, `/cloud-management/servers/${on.server}`, {
        name: 'hostile-api',
        note: null,
        acceptsNew: true,
        webServer: 'nginx',
      }),
  },
  'servers.status': { body: { status: 'up' } },
  'servers.updateServices': { body: { services: ['nginx', 'php-fpm'] } },
  'servers.addPhp': { body: { phpVersion: '8.2' } },
  'servers.addPractice': { body: { type: 'web' } },
  'groups.create': {
    body: { ownerId: on.owner, mainWebsite: on.site },
    undo: async (innkeeper, { id }) => {
      await gone(innkeeper, '/groups', { id })
      await innkeeper.must('POST', '/groups', { id: on.group, ownerId: on.owner, mainWebsite: on.site })
    },
  },
  'groups.update': { body: { id: on.group, ids: [on.site] } },
  'groups.owner': { body: { id: on.group, newOwner: on.heir } },
  'groups.remove': { body: { id: on.group } },
})

const paramsOf = ({ endpoint: { path } }: Call, on: Standing): Record<string, unknown> => {
  const about = [
    ...([
      [/^\/workflows/, on.workflow],
      [/\/logs\/:id/, on.workflow],
      [/\/servers\b/, on.server],
    ] as const),
    ...([
      [/\/plans\//, on.plan],
      [/\/system-users\//, on.account],
      [/groups\/:id/, on.group],
    ] as const),
  ].find(([pattern]) => pattern.test(path))
  const id = about?.[1] ?? on.site
  const more = { type: path.includes('server-types') ? 'web' : 'nginx-site', service: 'nginx', key: '0'.repeat(32) }
  return { id, resourceType: 'nginx-site', resource: on.site, action: on.action, ...more }
}

export interface ApiCall {
  call: Call
  request: Request
  acts: boolean
  undo?: WellBehaved['undo']
}

/** Every call of these domains with a valid request. */
export function apiCalls(on: Standing): ApiCall[] {
  const known = wellBehaved(on)
  return calls
    .filter(({ name }) => reaching.includes(name.split('.')[0] ?? ''))
    .map((call) => {
      const { body = {}, acts = false, undo } = known[call.name] ?? {}
      const all = paramsOf(call, on)
      const params = Object.fromEntries(
        Object.keys(call.endpoint.schemas.params?.shape ?? {}).map((key) => [key, `${all[key]}`]),
      )
      const query = call.name === 'workflows.output' ? { actionId: on.action } : {}
      for (const [part, values] of Object.entries({ params, query, body })) {
        const read = call.endpoint.schemas[part as 'params' | 'query' | 'body']?.safeParse(values)
        if (read?.error)
          throw new Error(`e2e/hostile/apiRequests.ts needs a valid request for ${call.name}: ${read.error.message}`)
      }
      return { call, request: { params, query, body }, acts, undo }
    })
}

export const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
/** A lone surrogate cannot be encoded in a URL, and an overlong URL fails before validation. */
const text = (value: unknown) => encodeURIComponent(shown(value).slice(0, 2000).toWellFormed())

export function send(innkeeper: Innkeeper, { endpoint }: Call, { params, query, body }: Request): Promise<Answer> {
  const path = addressOf(
    endpoint.path,
    Object.fromEntries(Object.entries(params).map(([key, value]) => [key, text(value)])),
  ).replace(/^\/api/, '')
  const search = Object.entries(query).map(([key, value]) => `${key}=${text(value)}`)
  const address = search.length ? `${path}?${search.join('&')}` : path
  return innkeeper.call(endpoint.method, address, endpoint.schemas.body && body)
}
