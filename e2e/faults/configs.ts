import { readFileSync, writeFileSync } from 'node:fs'
import { until } from '../until.ts'
import type { Kind, Subject } from './kinds.ts'
import type { World } from './world.ts'

const fileOf = ({ name }: Subject) => `/etc/nginx/conf.d/${name.replace(/[^a-z0-9]/g, '')}.conf`
const at = (subject: Subject) => `${subject.server.host.root}${fileOf(subject)}`
const good = '# as it was collected\n'
const spoiled = '# as somebody left it\n'

/** Before the fault: writes a file by hand, collects it, and then changes it. */
async function prepare({ api }: World, subject: Subject): Promise<void> {
  const { id } = subject.server
  writeFileSync(at(subject), good)
  await api.must('POST', '/config-orchestrator/collect', { serverIds: [id] })
  await until(`${subject.server.host.name} is collected`, async () => {
    const { collecting } = await api.must('GET', `/config-orchestrator/servers/${id}`)
    return !collecting
  })
  writeFileSync(at(subject), spoiled)
}

async function ask({ api }: World, subject: Subject): Promise<number> {
  const path = '/config-orchestrator/config-restore/configs'
  const { items } = await api.must('GET', `${path}?server=${subject.server.id}&service=nginx&current=true`)
  return (await api.must('POST', `${path}/${items[0]?.id}/reset`, { paths: [fileOf(subject)] })).workflowId
}

/** The file is complete: it is as collected, or as before the reset. */
async function check(_: World, subject: Subject, done: boolean): Promise<string[]> {
  const text = readFileSync(at(subject), 'utf8')
  return text === (done ? good : spoiled) ? [] : [`${fileOf(subject)} on ${subject.server.host.name}: ${text}`]
}

export const configs: Record<string, Kind> = {
  'config.reset': { weight: 1, undoable: true, named: ({ server }) => server.host.name, prepare, ask, check },
}
