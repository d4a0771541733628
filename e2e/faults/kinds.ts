import { addOwner } from '../sites.ts'
import { accounts } from './accounts.ts'
import { caches } from './caches.ts'
import { certificates } from './certificates.ts'
import type { Calls } from './check.ts'
import { copies } from './copies.ts'
import { databases } from './databases.ts'
import type { Dice } from './dice.ts'
import { ipsets } from './ipsets.ts'
import { moves } from './moves.ts'
import { names } from './names.ts'
import { php } from './php.ts'
import { vhosts } from './vhosts.ts'
import type { Managed, World } from './world.ts'
import { zones } from './zones.ts'

/** `trashed`: nothing of it is served or to be seen, and it can be restored. */
export type State = 'active' | 'suspended' | 'trashed' | 'gone'
/** What a workflow is about: a website by its domain, or a server. */
export interface Subject {
  name: string
  server: Managed
}
export interface Kind {
  /** How often it is thrown, beside the others. */
  weight: number
  /** What it needs is downloaded for a minute first, and is large: not in the slice that every test run has. */
  heavy?: true
  /** What the website is before it, and after it; absent: it is about no website. */
  website?: { before: State; after: State }
  /** Waits for people on its way: they have it go on before the fault or after it. */
  waits?: true
  /** Can be rolled back without harm to others. */
  undoable: boolean
  /** Makes in calm what has to stand before, where it is about no website. */
  prepare?(world: World, subject: Subject, calls: Calls): Promise<void>
  /** Looks whether all is as it should be after it was done, or not. Answers what is not so. */
  check?(world: World, subject: Subject, done: boolean): Promise<string[]>
  /** What its workflow is called about, where that is not the subject's name. */
  named?(subject: Subject): string
  /** Asks for it over the API; all that has to stand before was made by `prepare`. Answers the workflow. */
  ask(world: World, subject: Subject, owner: number): Promise<number>
}

const idOf = ({ sites }: World, { name }: Subject): number => {
  const id = sites.get(name)?.website.id
  if (id === undefined) throw new Error(`${name} is not there`)
  return id
}
async function trashedId({ api }: World, { name }: Subject): Promise<number> {
  const { Websites } = await api.must('GET', `/websites?domain=${name}&status=deleted`)
  const [website] = Websites
  if (!website) throw new Error(`${name} is not in the trash`)
  return website.id
}
const change = (status: 'active' | 'suspended') => async (world: World, subject: Subject) =>
  (await world.api.must('PATCH', `/websites/${idOf(world, subject)}`, { status })).workflowId

/** Every kind that the product registers: one that is missing here ends the storm before it begins. */
export const kinds: Record<string, Kind> = {
  ...accounts,
  ...zones,
  ...ipsets,
  ...vhosts,
  ...caches,
  ...certificates,
  ...databases,
  ...moves,
  ...names,
  ...copies,
  ...php,
  'website.create': {
    weight: 4,
    website: { before: 'gone', after: 'active' },
    undoable: true,
    async ask({ api }, { name, server }, userId) {
      const wish = { originServer: server.id, domain: name, plan: 'Business', userId }
      return (await api.must('POST', '/websites', wish)).workflowId
    },
  },
  'website.suspend': {
    weight: 2,
    website: { before: 'active', after: 'suspended' },
    undoable: true,
    ask: change('suspended'),
  },
  'website.activate': {
    weight: 2,
    website: { before: 'suspended', after: 'active' },
    undoable: true,
    ask: change('active'),
  },
  'website.delete': {
    weight: 3,
    website: { before: 'active', after: 'trashed' },
    undoable: true,
    ask: async (world, subject) => (await world.api.must('DELETE', `/websites/${idOf(world, subject)}`, {})).workflowId,
  },
  'website.restore': {
    weight: 2,
    website: { before: 'trashed', after: 'active' },
    undoable: true,
    ask: async (world, subject) =>
      (await world.api.must('POST', `/websites/${await trashedId(world, subject)}/restore`, {})).workflowId,
  },
  'website.purge': {
    weight: 1,
    website: { before: 'trashed', after: 'gone' },
    undoable: false, // what is gone for good does not come back
    ask: async (world, subject) => {
      const path = `/websites/${await trashedId(world, subject)}/trash`
      return (await world.api.must('DELETE', path, { domain: subject.name })).workflowId
    },
  },
  'server.update-agent': {
    weight: 1,
    undoable: false, // taken back by another update
    ask: async ({ api }, { server }) =>
      (await api.must('POST', `/cloud-management/servers/${server.id}/agent-update`, { force: true })).workflowId,
  },
  'server.repair': {
    weight: 1,
    undoable: false, // as provisioning
    ask: async ({ api }, { server }) =>
      (await api.must('POST', `/cloud-management/servers/${server.id}/services/nginx/repair`)).workflowId,
  },
  'server.provision': {
    weight: 1,
    undoable: false, // takes nginx from everybody
    ask: async ({ api }, { server }) =>
      (await api.must('POST', `/cloud-management/servers/${server.id}/provision`)).workflowId,
  },
}

export function kindOf(name: string): Kind {
  const kind = kinds[name]
  if (!kind) throw new Error(`The storm knows no ${name}`)
  return kind
}

export const throwKind = (d: Dice, light = false): string =>
  d.pick(
    Object.entries(kinds).flatMap(([name, { weight, heavy }]) => Array<string>(light && heavy ? 0 : weight).fill(name)),
  )

/** Finds what the workflow can be about, or says by `make` what has to be created in calm first. */
export async function choose(
  world: World,
  kind: string,
  d: Dice,
  fresh: string,
): Promise<{ subject: Subject; owner: number; make?: State }> {
  const { website, prepare } = kindOf(kind)
  const server = d.pick(world.servers)
  if (prepare) return { subject: { name: fresh.replace('.example', ''), server }, owner: 0 }
  if (!website) return { subject: { name: server.host.name, server }, owner: 0 }
  const fitting = [...world.sites.values()].filter((site) => !site.steady && site.state === website.before)
  if (fitting.length) {
    const site = d.pick(fitting)
    return { subject: { name: site.website.domain, server: site.server }, owner: 0 }
  }
  const owner = await addOwner(world.api)
  return { subject: { name: fresh, server }, owner, ...(website.before !== 'gone' && { make: website.before }) }
}
