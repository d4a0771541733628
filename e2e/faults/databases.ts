import type { Kind, Subject } from './kinds.ts'
import type { World } from './world.ts'

const idOf = ({ sites }: World, { name }: Subject): number => {
  const id = sites.get(name)?.website.id
  if (id === undefined) throw new Error(`${name} is not there`)
  return id
}
async function databaseOf(world: World, subject: Subject) {
  const { items } = await world.api.must('GET', `/database/websites/${idOf(world, subject)}`)
  const [database] = items
  if (!database) throw new Error(`${subject.name} has no database`)
  return database
}
/** MariaDB is a download of minutes and more disk than the storm's hosts have: not in every night's weather, but with --kind. */
const weight = 0
const website = { before: 'active', after: 'active' } as const

/** What is done to the databases of websites. */
export const databases: Record<string, Kind> = {
  'database.create': {
    weight,
    website,
    undoable: true,
    ask: async (world, subject) =>
      (await world.api.must('POST', '/database/databases', { websiteId: idOf(world, subject) })).workflowId,
  },
  'database.password': {
    weight,
    website,
    undoable: true,
    ask: async (world, subject) => {
      const [user] = (await databaseOf(world, subject)).users
      return (await world.api.must('POST', `/database/users/${user.id}/password`, {})).workflowId
    },
  },
  'database.delete': {
    weight,
    website,
    undoable: true,
    ask: async (world, subject) => {
      const { id, name } = await databaseOf(world, subject)
      return (await world.api.must('DELETE', `/database/databases/${id}`, { name })).workflowId
    },
  },
}

/** The copy of a website, made in calm where there is none. */
async function copyOf(world: World, subject: Subject) {
  const { items } = await world.api.must('GET', `/websites/${idOf(world, subject)}/stagings`)
  const [copy] = items
  if (!copy) throw new Error(`${subject.name} has no copy`)
  return copy.website.id
}

/** What is done to copies of websites. They stand beside websites that the storm counts, so: with --kind. */
export const copies: Record<string, Kind> = {
  'website.stage': {
    weight,
    website,
    undoable: true,
    ask: async (world, subject) =>
      (await world.api.must('POST', `/websites/${idOf(world, subject)}/staging`, {})).workflowId,
    named: ({ name }) => `staging-1.${name}`,
  },
  'website.merge': {
    weight,
    website,
    undoable: true,
    ask: async (world, subject) =>
      (await world.api.must('POST', '/stagings', { websiteId: await copyOf(world, subject) })).workflowId,
  },
  'website.revert': {
    weight,
    website,
    undoable: true,
    ask: async (world, subject) => {
      const { merges } = await world.api.must('GET', `/websites/${idOf(world, subject)}/stagings`)
      return (await world.api.must('POST', `/stagings/merges/${merges[0].id}/revert`, {})).workflowId
    },
  },
}
