import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, notes } from '../../kit/host.ts'
import { addressesOf, type Door, keyOf, readDoors, writeDoors } from './doors.ts'
import { closeAllBut, letIn, sameSpans, spansOf } from './doorTable.ts'
import { engines } from './engines.ts'
import { listeningPorts, usual } from './lookAtAccess.ts'

type OfAccount = 'database-user.ensure' | 'database-user.remove' | 'database-user.restore'
type Who = Pick<OperationInput<'database-user.ensure'>, 'engine' | 'user' | 'host'>

const isRemote = (host: string | undefined): host is string => host !== undefined && host !== 'localhost'
/** Whether a door belongs to an account. In PostgreSQL, one account may have doors for several addresses. */
const isOf =
  ({ engine = 'mariadb', user, host }: Who) =>
  (one: Door) =>
    one.engine === engine && one.user === user && (engine === 'postgresql' || one.address === host)

/**
 * Opens the firewall and the engine for an account with a remote host, once the account is set. Closes both when the
 * account is locked, limited to this machine, or removed. Undo restores the former door.
 */
export function reachable<N extends OfAccount>(engine: DatabaseEngine, driver: Driver<N>): Driver<N> {
  return {
    async run(c) {
      await remember(c, engine)
      const said = await driver.run(c)
      const who = whoOf(c, engine)
      await settle(c, who, isRemote(who.host) ? [doorOf(who, who.host)] : [])
      return said
    },
    async undo(c) {
      const said = await driver.undo(c)
      const who = whoOf(c, engine)
      const note = await notes.find(KIND, noteName(who))
      // a restore is undone by a removal
      const before = note?.by === c.actionId ? (JSON.parse(note.about.doors ?? '[]') as Door[]) : undefined
      await settle(c, who, before ?? (await readDoors()).filter(isOf(who)))
      if (before) await notes.drop(KIND, noteName(who))
      return said
    },
    async inspect(c) {
      const answer = await driver.inspect(c)
      if (answer !== 'yes') return answer
      const who = whoOf(c, engine)
      const doors = await readDoors()
      const mine = doors.filter(isOf(who))
      if (!mine.length && !isRemote(who.host)) return 'yes'
      if (c.task === 'undo') return (await notes.find(KIND, noteName(who)))?.by === c.actionId ? 'no' : 'yes'
      const { locked } = c.input as { locked?: boolean } // absent: a removal or a restore, whose repeat is harmless
      const wanted = locked === false && isRemote(who.host) ? [doorOf(who, who.host)] : []
      const settled =
        locked !== undefined &&
        mine.length === wanted.length &&
        mine.every((one, n) => keyOf(one) === keyOf(wanted[n] ?? one))
      const spans = (await letIn())?.[engine]
      return settled && spans && sameSpans(spans, spansOf(addressesOf(doors, engine))) ? 'yes' : 'no'
    },
  }
}

const KIND = 'remote-access'
// safe cast: the input of all three operations names the account
const whoOf = <N extends OfAccount>({ input }: Context<N>, engine: DatabaseEngine): Who => ({
  ...(input as unknown as Who),
  engine,
})
const noteName = ({ engine, user, host = 'localhost' }: Who) =>
  `${engine}-${user}${engine === 'postgresql' ? '' : `@${host.replaceAll(/[/:]/g, '-')}`}`
const doorOf = ({ engine = 'mariadb', user }: Who, address: string): Door => ({ engine, user, address })

/** Notes the doors of the account before the first attempt of an action changes them. */
async function remember<N extends OfAccount>(c: Context<N>, engine: DatabaseEngine): Promise<void> {
  const who = whoOf(c, engine)
  const before = (await readDoors()).filter(isOf(who))
  if (!before.length && !isRemote(who.host)) return
  if ((await notes.find(KIND, noteName(who)))?.by === c.actionId) return
  await notes.keep(KIND, noteName(who), c.actionId, { doors: JSON.stringify(before) })
}

/** Sets the doors of the account, without those that the engine does not admit. */
const settle = <N extends OfAccount>({ say, fence }: Context<N>, who: Who, wanted: readonly Door[]): Promise<void> =>
  exclusive('remote access', async () => {
    const engine = engines[who.engine ?? 'mariadb']
    const doors = await readDoors()
    const mine = doors.filter(isOf(who))
    if (!mine.length && !wanted.length) return
    const open: Door[] = []
    for (const one of wanted) if (await engine.admits(one)) open.push(one)
    const after = [...doors.filter((one) => !isOf(who)(one)), ...open]
    const gone = mine.filter((one) => !open.some((other) => keyOf(other) === keyOf(one)))
    fence()
    await writeDoors(after)
    await closeAllBut(after, { mariadb: await portOf('mariadb', after), postgresql: await portOf('postgresql', after) })
    const restarted = await engine.listen(after)
    if (gone.length) await engine.cut(who.user)
    if (open.length && (await listeningPorts())(await engine.port()) !== 'network')
      throw new Error(`${who.engine} does not listen on the network, because a file besides Innkeeper's says otherwise`)
    if (restarted) say(`${who.engine} was restarted and listens on the network, with TLS`)
    for (const { address } of open) say(`${address} reaches port ${await engine.port()}; nobody else was let in`)
    for (const { address } of gone) say(`${address} reaches ${who.engine} no longer as ${who.user}`)
  })
/** The port of an engine that has doors; otherwise the usual port, which is closed. */
const portOf = async (engine: DatabaseEngine, doors: readonly Door[]): Promise<number> =>
  doors.some((one) => one.engine === engine) ? engines[engine].port() : usual[engine]
