import type { Kind, Subject } from './kinds.ts'
import { idOf, siteOf, standing } from './own.ts'
import type { World } from './world.ts'

interface Shown {
  id: number
  username: string
  homeDir: string
  state: string
}

async function find(world: World, subject: Subject): Promise<Shown | undefined> {
  const id = await idOf(world, siteOf(subject).name)
  const { items } = await world.api.must('GET', `/ftp/ftp-users?websiteIds=${id}`)
  return items[0]
}
async function its(world: World, subject: Subject): Promise<Shown> {
  const user = await find(world, subject)
  if (!user) throw new Error(`${siteOf(subject).name} has no FTP user`)
  return user
}

/** The user is ready in Innkeeper and its server has a login for its folder, or neither has the user. */
async function check(world: World, subject: Subject, there: boolean): Promise<string[]> {
  const user = await find(world, subject)
  const { stdout } = await subject.server.host.exec(['cat', '/etc/innkeeper/ftp/passwd'])
  const site = `/${siteOf(subject).name}/`
  const home = stdout
    .split('\n')
    .find((line) => line.includes(site))
    ?.split(':')[5]
  if ((user?.state === 'ready') !== there || (home !== undefined) !== there)
    return [`the FTP user of ${subject.name} should ${there ? '' : 'not '}be: ${user?.state}, on its host ${home}`]
  return user && home !== user.homeDir ? [`${user.username} is in ${home}, not in ${user.homeDir}`] : []
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
const path = '/ftp/ftp-users'
const service = async (world: World, { server }: Subject) => world.api.must('GET', `/ftp/servers/${server.id}`)

export const ftp: Record<string, Kind> = {
  'ftp-user.create': kind(false, true, ['ftp-user.create', 'ftp-user.delete'], async (world, subject) => {
    const body = { websiteId: await idOf(world, siteOf(subject).name), name: 'kari' }
    return (await world.api.must('POST', path, body)).workflowId
  }),
  'ftp-user.change': kind(true, true, ['ftp-user.create'], async (world, subject) => {
    const { id } = await its(world, subject)
    return (await world.api.must('PATCH', `${path}/${id}`, { folder: 'public/uploads', quotaMb: 50 })).workflowId
  }),
  'ftp-user.delete': kind(true, false, ['ftp-user.create'], async (world, subject) => {
    const { id } = await its(world, subject)
    return (await world.api.must('DELETE', `${path}/${id}`, {})).workflowId
  }),
  'ftp-server.change': {
    ...kind(true, true, ['ftp-user.create'], async (world, subject) => {
      const { plain } = await service(world, subject)
      return (await world.api.must('PATCH', `/ftp/servers/${subject.server.id}`, { plain: !plain })).workflowId
    }),
    undoable: false,
    named: ({ server }) => server.host.name,
    async check(world, subject) {
      const { plain } = await service(world, subject)
      const { stdout } = await subject.server.host.exec(['cat', '/etc/innkeeper/ftp/pure-ftpd.conf'])
      return stdout.includes(`TLS ${plain ? 1 : 3}\n`)
        ? []
        : [`FTP of ${subject.server.host.name} is not as said: ${plain}`]
    },
  },
}
