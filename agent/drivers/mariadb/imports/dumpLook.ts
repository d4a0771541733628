import { spooled } from '../../../kit/host.ts'
import { looking } from '../../dumps/looking.ts'
import { ask, create, named } from '../mariadbAsk.ts'
import { dropAccount, pour } from './importLoad.ts'
import { openForeign } from './openForeign.ts'

export const lookAtDump = looking(openForeign, {
  databases: '/var/lib/mysql',
  create: ({ aside, charset, collation }) => ask(create(aside, { charset, collation })),
  async load({ actionId, input: { file, mostBytes, readAs } }, { aside }) {
    await pour(actionId, aside, await openForeign(await spooled(file), mostBytes, () => undefined, readAs))
  },
  async drop({ actionId }, { aside }) {
    await dropAccount(actionId)
    await ask(`drop database if exists ${named(aside)};`)
  },
})
