import { existsSync } from 'node:fs'
import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, notes } from '../../kit/host.ts'
import { dropSet, portsOf, readSet, seconds, setNames, writePorts, writeSet } from './ipSetFile.ts'
import { keepLoader } from './ipSetLoader.ts'
import { deltaOf, isFromStart } from './ipSetParts.ts'
import { alter, dropTable, keepTable, load } from './ipSetTable.ts'

/**
 * Kinds of notes. `made`: the action that created a set; `torn`: a change was interrupted, so the kernel may differ
 * from the files.
 */
const kinds = { made: 'ip-set', torn: 'ip-sets' }
const TORN = 'kernel'

/**
 * Writes a set to the kernel and to the files that are loaded at boot. Usually writes only the changes. Where the
 * kernel differs or refuses a change, loads all sets from the files in one transaction.
 */
export const ensureIpSet: Driver<'ip-set.ensure'> = {
  run: (c) => exclusive('ip sets', () => converge(c)),

  async undo({ input: { set }, actionId, say, fence }) {
    if ((await notes.find(kinds.made, set))?.by !== actionId)
      return void say(`${set} stays: a later change reverts its entries`)
    await exclusive('ip sets', () => takeAway(set, fence))
    say(`${set} is removed again`)
  },

  async inspect({ input, actionId, task }) {
    if (task === 'undo') return (await notes.find(kinds.made, input.set))?.by === actionId ? 'no' : 'yes'
    const before = await readSet(input.set)
    if (!before || before.change < input.change || (await notes.find(kinds.torn, TORN))) return 'no'
    if (`${await portsOf(input.set)}` !== `${input.ports}`) return 'no'
    const { gone, come } = deltaOf(before.lines, input.parts, seconds())
    return gone.length || come.length ? 'no' : 'yes'
  },
}

export const removeIpSet: Driver<'ip-set.remove'> = {
  async run({ input: { set }, say, fence }) {
    await exclusive('ip sets', () => takeAway(set, fence))
    say(`${set} no longer drops packets`)
  },
  async undo({ input: { set }, say }) {
    say(`${set} comes back with the next sync`)
  },
  async inspect({ input: { set }, task }) {
    if (task === 'undo') return 'yes'
    return (await readSet(set)) || (await notes.find(kinds.torn, TORN)) ? 'no' : 'yes'
  },
}

async function converge({ input, actionId, say, fence }: Context<'ip-set.ensure'>) {
  const { set, change, whole, parts } = input
  if (!existsSync('/usr/sbin/nft')) throw new Error('nftables is not installed: its package comes first')
  const before = await readSet(set)
  if (before && !whole && before.change > change) {
    say(`${set} is at change ${before.change} already, later than ${change}`)
    return { elements: before.lines.length }
  }
  if (!before && !whole) throw new Error(`${set} is not on this server: a sync must send all its entries`)
  const { gone, come } = deltaOf(before?.lines ?? [], parts, seconds())
  const torn = (await notes.find(kinds.torn, TORN)) !== undefined
  fence()
  await notes.keep(kinds.torn, TORN, actionId)
  if (!before) await notes.keep(kinds.made, set, actionId)
  await keepLoader()
  // before the entries: they would also drop packets to other ports
  await writePorts(set, input.ports)
  await writeSet(set, before, change, { gone, come })
  const names = await setNames()
  const loaded = await keepTable(names)
  // all entries were sent for an existing set: the kernel may differ
  const differs = torn || (whole && before !== undefined && isFromStart(parts))
  const altered = !loaded && !differs && (await alter(names, { set, gone, come }))
  if (!altered && !loaded) await load()
  await notes.drop(kinds.torn, TORN)
  const elements = (before?.lines.length ?? 0) - gone.length + come.length
  const said = [come.length && `${come.length} came`, gone.length && `${gone.length} went`].filter(Boolean).join(', ')
  say(`${set} has ${elements} ${elements === 1 ? 'entry' : 'entries'}${said && `: ${said}`}`)
  if (!altered) say('all of it was loaded from the files of this server')
  return { elements }
}

async function takeAway(set: string, fence: () => void): Promise<void> {
  fence()
  const names = await setNames()
  const torn = (await notes.find(kinds.torn, TORN)) !== undefined
  if (names.includes(set) || torn) {
    await notes.keep(kinds.torn, TORN, 0)
    await dropSet(set)
    const left = names.filter((name) => name !== set)
    if (left.length) {
      await keepTable(left)
      if (torn || !(await alter(left, { set }))) await load()
    } else await dropTable()
    await notes.drop(kinds.torn, TORN)
  }
  await notes.drop(kinds.made, set)
}
