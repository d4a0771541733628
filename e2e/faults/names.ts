import { visit } from '../sites.ts'
import { edged, edgeOf } from './edges.ts'
import type { Kind, Subject } from './kinds.ts'
import { alone, idOf, siteOf, standing } from './own.ts'
import type { Managed, World } from './world.ts'

/** Names of a website: an alias, a name derived from its own, and the name after a rename. */
const aliasOf = ({ name }: Subject) => `${name}-alias.example`
const subOf = ({ name }: Subject) => `sub.${name}.example`
const newNameOf = ({ name }: Subject) => `${name}-renamed.example`

const addAlias = async (world: World, subject: Subject) => {
  const path = `/websites/${await idOf(world, siteOf(subject).name)}/alias`
  return (await world.api.must('POST', path, { domain: aliasOf(subject) })).workflowId
}
const sendOn = async (world: World, subject: Subject) => {
  const path = `/websites/${await idOf(world, aliasOf(subject))}/alias`
  return (await world.api.must('PATCH', path, { mode: 'redirect' })).workflowId
}
const addSub = async (world: World, subject: Subject) => {
  const path = `/websites/${await idOf(world, siteOf(subject).name)}/subwebsite`
  return (await world.api.must('POST', path, { domain: subOf(subject) })).workflowId
}
const rename = async (world: World, subject: Subject) => {
  const path = `/websites/${await idOf(world, siteOf(subject).name)}/rename`
  return (await world.api.must('PATCH', path, { newDomain: newNameOf(subject) })).workflowId
}

/** Status codes that visitors get for these names on a host; 0: no answer. */
async function answers({ host }: Managed, wanted: Record<string, number>): Promise<string[]> {
  const bad: string[] = []
  for (const [name, status] of Object.entries(wanted)) {
    const page = await visit(host.address, name)
    if (page.status !== status)
      bad.push(`${name} answers ${page.status || 'nothing'} on ${host.name}, not ${status || 'nothing'}`)
  }
  return bad
}
/** On its own host and on its edge. */
const everywhere = async (world: World, subject: Subject, wanted: Record<string, number>): Promise<string[]> => [
  ...(await answers(subject.server, wanted)),
  ...(await answers(edgeOf(world, subject), wanted)),
]

/** The folder has one name, or the old name is a link to it; no temporary files remain. */
async function checkRenamed(world: World, subject: Subject, done: boolean): Promise<string[]> {
  const { host } = subject.server
  const [old, next] = [siteOf(subject).name, newNameOf(subject)]
  const website = await world.api.must('GET', `/websites/${await idOf(world, done ? next : old)}`)
  const home = `/home/${website.username}`
  const { stdout } = await host.exec([
    'find',
    home,
    '-mindepth',
    '1',
    '-maxdepth',
    '1',
    '-name',
    `*${subject.name}*`,
    '-printf',
    '%f %y\n',
  ])
  const found = stdout.trim().split('\n').sort()
  const folders = (done ? [`${next} d`, `${old} l`] : [`${old} d`]).sort()
  const bad = found.join() === folders.join() ? [] : [`${home} has ${found.join()}, not ${folders.join()}`]
  const files = await host.exec(['find', '/etc/nginx/innkeeper/sites', '-name', `*${subject.name}*`, '-printf', '%f\n'])
  const file = `${done ? next : old}.conf`
  if (files.stdout.trim() !== file) bad.push(`nginx has ${files.stdout.trim()}, not ${file}`)
  bad.push(...(await everywhere(world, subject, { [next]: done ? 200 : 0, [old]: done ? 301 : 200 })))
  return bad
}

const kind = (named: (subject: Subject) => string, steps: string[], ask: Kind['ask'], check: Kind['check']): Kind => ({
  weight: 1,
  undoable: true,
  named,
  prepare: edged(standing(...steps)),
  ask,
  check,
})
const its = (subject: Subject) => siteOf(subject).name

/** Workflows on the names of a website. */
export const names: Record<string, Kind> = {
  'website.alias': kind(aliasOf, ['vhost.create'], addAlias, (world, subject, done) =>
    everywhere(world, subject, { [its(subject)]: 200, [aliasOf(subject)]: done ? 200 : 0 }),
  ),
  'website.alias-mode': kind(aliasOf, ['vhost.create', 'website.alias'], sendOn, (world, subject, done) =>
    everywhere(world, subject, { [its(subject)]: 200, [aliasOf(subject)]: done ? 301 : 200 }),
  ),
  'website.subwebsite': kind(subOf, [], addSub, (_, subject, done) =>
    answers(subject.server, { [its(subject)]: 200, [subOf(subject)]: done ? 200 : 0 }),
  ),
  'website.rename': { ...kind(its, [], rename, checkRenamed), prepare: edged(alone('vhost.create')) },
}
