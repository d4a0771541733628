import type { Kind, Subject } from './kinds.ts'
import { idOf, siteOf, standing } from './own.ts'
import type { World } from './world.ts'

interface Kept {
  id: number
  name: string
  status: string
  users: { id: number; username: string }[]
}

/** The database of the round's website as Innkeeper has it. */
async function find(world: World, subject: Subject): Promise<Kept | undefined> {
  const { items } = await world.api.must('GET', `/database/websites/${await idOf(world, siteOf(subject).name)}`)
  return items.find(({ status }: Kept) => status !== 'deleted')
}
async function its(world: World, subject: Subject): Promise<Kept> {
  const database = await find(world, subject)
  if (!database) throw new Error(`${siteOf(subject).name} has no database`)
  return database
}

/** It is in Innkeeper and MariaDB has it, or neither; its account comes in with the password that Innkeeper shows. */
async function check(world: World, subject: Subject, there: boolean): Promise<string[]> {
  const { host } = subject.server
  const database = await find(world, subject)
  const name = database?.name ?? siteOf(subject).name.replaceAll('.', '_')
  const mine = `show databases like '${subject.name}%'` // the round's own word: nothing in it has to be quoted
  const { stdout } = await host.exec(['mariadb', '--skip-column-names', '--execute', mine])
  const has = there ? stdout.split('\n').includes(name) : stdout.trim() !== ''
  const state = [database?.status === 'active', has].join()
  if (state !== [there, there].join())
    return [`the database ${name} should ${there ? '' : 'not '}be: active in Innkeeper, on its host is ${state}`]
  const [user] = database?.users ?? []
  if (!user) return there ? [`${name} has no account`] : []
  const { password } = await world.api.must('POST', `/database/users/${user.id}/reveal`)
  const login = ['--user', user.username, `--password=${password}`, '--execute', 'select 1', name]
  const { code, stderr } = await host.exec(['mariadb', ...login])
  return code === 0 ? [] : [`${user.username} does not come to ${name} with its password: ${stderr.trim()}`]
}

const kind = (before: boolean, after: boolean, steps: string[], ask: Kind['ask']): Kind => ({
  weight: 1,
  heavy: true,
  undoable: true,
  named: (subject) => siteOf(subject).name,
  prepare: standing(...steps),
  ask,
  check: (world, subject, done) => check(world, subject, done ? after : before),
})

/** What is done to the databases of websites. MariaDB is there from the beginning of the round, so that the fault strikes the database. */
export const databases: Record<string, Kind> = {
  'database.create': kind(false, true, ['database.create', 'database.delete'], async (world, subject) => {
    const websiteId = await idOf(world, siteOf(subject).name)
    return (await world.api.must('POST', '/database/databases', { websiteId })).workflowId
  }),
  'database.password': kind(true, true, ['database.create'], async (world, subject) => {
    const [user] = (await its(world, subject)).users
    return (await world.api.must('POST', `/database/users/${user?.id}/password`, {})).workflowId
  }),
  'database.delete': kind(true, false, ['database.create'], async (world, subject) => {
    const { id, name } = await its(world, subject)
    return (await world.api.must('DELETE', `/database/databases/${id}`, { name })).workflowId
  }),
  'database.restore': kind(false, true, ['database.create', 'database.delete'], async (world, subject) => {
    const { trash } = await world.api.must('GET', `/database/websites/${await idOf(world, siteOf(subject).name)}`)
    return (await world.api.must('POST', `/database/databases/${trash[0].id}/restore`, {})).workflowId
  }),
}
