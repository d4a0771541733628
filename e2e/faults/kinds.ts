import { accounts } from './accounts.ts'
import { archives } from './archives.ts'
import { backups } from './backups.ts'
import { caches } from './caches.ts'
import { certificates } from './certificates.ts'
import type { Calls } from './check.ts'
import { configs } from './configs.ts'
import { copies } from './copies.ts'
import { databases } from './databases.ts'
import { ftp } from './ftp.ts'
import { ipsets } from './ipsets.ts'
import { mail } from './mail.ts'
import { moves } from './moves.ts'
import { names } from './names.ts'
import { php } from './php.ts'
import { places } from './places.ts'
import { replacements } from './replacements.ts'
import { vhosts } from './vhosts.ts'
import type { Managed, World } from './world.ts'
import { zones } from './zones.ts'

/** `trashed`: not served and not visible, but restorable. */
export type State = 'active' | 'suspended' | 'trashed' | 'gone'
/** Subject of a workflow: a website by its domain, or a server. */
export interface Subject {
  name: string
  server: Managed
}
export interface Kind {
  /** Relative frequency of the kind. */
  weight: number
  /** Needs a large download of about a minute first, so the slice in each test run leaves it out. */
  heavy?: true
  /** Status of the website before and after; absent: the kind is not about a website. */
  website?: { before: State; after: State }
  /** The workflow pauses for people, who resume it before or after the fault. */
  waits?: true
  /** A schedule starts the workflow, without a row of the action log. */
  scheduled?: true
  /** Can be rolled back without harming others. */
  undoable: boolean
  /** Before the fault: creates what the workflow requires, for kinds that are not about a website. */
  prepare?(world: World, subject: Subject, calls: Calls): Promise<void>
  /** Checks the state after the workflow was done or rolled back. Answers the differences. */
  check?(world: World, subject: Subject, done: boolean): Promise<string[]>
  /** Subject of the workflow, if other than the subject's name. */
  named?(subject: Subject, world: World): string
  /**
   * Requests the workflow over the API; `prepare` has created everything that it requires. Answers the workflow's id.
   */
  ask(world: World, subject: Subject, owner: number): Promise<number>
}

const idOf = ({ sites }: World, { name }: Subject): number => {
  const id = sites.get(name)?.website.id
  if (id === undefined) throw new Error(`${name} does not exist`)
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

/** All kinds of workflows in the product. A missing kind fails the run at its start. */
export const kinds: Record<string, Kind> = {
  ...accounts,
  ...archives,
  ...places,
  ...zones,
  ...ipsets,
  ...vhosts,
  ...caches,
  ...ftp,
  ...backups,
  ...certificates,
  ...databases,
  ...replacements,
  ...mail,
  ...moves,
  ...names,
  ...copies,
  ...php,
  ...configs,
  'website.create': {
    weight: 4,
    website: { before: 'gone', after: 'active' },
    undoable: true,
    async ask({ api }, { name, server }, userId) {
      const requested = { originServer: server.id, domain: name, plan: 'Business', userId }
      return (await api.must('POST', '/websites', requested)).workflowId
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
    undoable: false, // a permanent deletion cannot be undone
    ask: async (world, subject) => {
      const path = `/websites/${await trashedId(world, subject)}/trash`
      return (await world.api.must('DELETE', path, { domain: subject.name })).workflowId
    },
  },
  'server.update-agent': {
    weight: 1,
    undoable: false, // undone by another update
    ask: async ({ api }, { server }) =>
      (await api.must('POST', `/cloud-management/servers/${server.id}/agent-update`, { force: true })).workflowId,
  },
  'server.repair': {
    weight: 1,
    undoable: false, // like `server.provision`
    ask: async ({ api }, { server }) =>
      (await api.must('POST', `/cloud-management/servers/${server.id}/services/nginx/repair`)).workflowId,
  },
  'server.provision': {
    weight: 1,
    undoable: false, // removes nginx for all websites
    heavy: true, // installs MariaDB too
    ask: async ({ api }, { server }) =>
      (await api.must('POST', `/cloud-management/servers/${server.id}/provision`)).workflowId,
  },
}
