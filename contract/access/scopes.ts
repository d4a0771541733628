import * as z from 'zod'
import { csv, get, line, post } from '../kit/endpoint.ts'

/** A stored permission. `name` is the display name. */
export const Scope = z.object({ id: z.int(), scope: z.string(), name: z.string(), description: z.string() })
export type Scope = z.output<typeof Scope>

interface Node {
  id: number
  /** Display name in start case: `score-type` is "Score Type". */
  name: string
}
const node = { id: z.int().min(5000).max(9999), name: z.string() }
const Leaf = z.object({ ...node, scope: z.string(), description: z.string() })
const Subarea = z.object({ ...node, children: z.array(Leaf) })
const Area = z.object({ ...node, children: z.array(Subarea) })
export type ScopeLeaf = Node & { scope: string; description: string }
export type ScopeSubarea = Node & { children: ScopeLeaf[] }
export type ScopeArea = Node & { children: ScopeSubarea[] }

/** The words of a permission, and names of people who can grant it. */
export const Grantors = z.object({
  scope: z.string(),
  label: z.string(),
  names: z.array(z.string()),
  more: z.boolean(),
})
export type Grantors = z.output<typeof Grantors>

export const scopes = {
  list: get('/auth/scopes', 'users:scope:read', {
    summary: 'All permissions as a list and as a tree of three levels',
    returns: z.object({ items: z.array(Scope), total: z.int(), tree: z.array(Area) }),
  }),
  sync: post('/auth/scopes/sync', 'users:scope:sync', {
    summary: 'Update the stored permissions from the catalogue',
    status: 200,
    returns: z.object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      /** Number of roles that had a removed permission. */
      roles: z.array(z.object({ id: z.int(), name: z.string(), lost: z.array(z.string()) })),
      total: z.int(),
    }),
  }),
  grantors: get('/auth/scopes/grantors', 'signedIn', {
    summary: 'The words of these permissions, and people who can grant them',
    query: { scopes: csv(z.string().max(100)) },
    returns: z.object({ items: z.array(Grantors), total: z.int() }),
  }),
  ask: post('/auth/scopes/ask', 'signedIn', {
    summary: 'Ask the people who can grant these permissions; the same request only once a day',
    status: 200,
    body: {
      scopes: z.array(z.string().max(100)).min(1).max(10),
      /** Path of the screen that needs the permissions. */
      path: z.string().regex(/^\/[\w/.-]{0,199}$/, 'A path of a screen, such as /dns'),
      reason: line(500).optional(),
    },
    returns: z.object({ asked: z.int() }),
  }),
}

const LOWEST = 5000
const HIGHEST = 9999

/** "score-type" becomes "Score Type". */
export const startCase = (text: string): string =>
  text
    .split(/[-_\s]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/**
 * Tree of permissions: `qa:score-type:read` is Read below Score Type below Qa. Ids derive from the path: 5000 to 9999,
 * unique.
 */
export function scopeTree(all: readonly { scope: string; description: string }[]): ScopeArea[] {
  const taken = new Set<number>()
  const node = (path: string, last: string): Node => ({ id: idOf(path, taken), name: startCase(last) })
  const areas = new Map<string, ScopeArea>()
  const subareas = new Map<string, ScopeSubarea>()
  const sorted = [...all].sort((a, b) => (a.scope < b.scope ? -1 : 1))
  for (const { scope, description } of sorted) {
    const [service = '', resource = '', action = ''] = scope.split(':')
    const path = `${service}:${resource}`
    const area = areas.get(service) ?? { ...node(service, service), children: [] }
    const subarea = subareas.get(path) ?? { ...node(path, resource), children: [] }
    if (!areas.has(service)) areas.set(service, area)
    if (!subareas.has(path)) area.children.push(subarea)
    subareas.set(path, subarea)
    subarea.children.push({ ...node(scope, action), scope, description })
  }
  return [...areas.values()]
}

/** A stable id for a path, derived from its hash. A used id is replaced by the next free one. */
function idOf(path: string, taken: Set<number>): number {
  const span = HIGHEST - LOWEST + 1
  if (taken.size >= span) throw new Error(`more than ${span} permissions have no ids in the tree`)
  let hash = 0
  for (const character of path) hash = (hash * 31 + character.charCodeAt(0)) % 2_147_483_647
  let id = LOWEST + (hash % span)
  while (taken.has(id)) id = id === HIGHEST ? LOWEST : id + 1
  taken.add(id)
  return id
}
