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
