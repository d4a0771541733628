import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Context, Driver } from '../../kit/driver.ts'
import { notes, type Thrown } from '../../kit/host.ts'

type Resource = 'system-user' | 'document-root' | 'database' | 'database-user' | 'mail-domain' | 'mail-folder'
type Restoring = `${Resource}.restore`
type Removing = `${Resource}.remove`

/** For how many days the control plane keeps the entry in the trash. */
export const kept = ({ keepDays }: { keepDays?: number | undefined }): Thrown['about'] =>
  keepDays === undefined ? {} : { keepDays }

/**
 * A restore undoes a removal, under the id of the action that removed. The undo of a restore removes again. `taken`
 * lists all removals, if there were several: the first whose entry is still in the trash is undone.
 */
export function restored<R extends Restoring, N extends Removing>(
  removal: Driver<N>,
  find: (context: Context<N>) => Promise<Thrown | undefined>,
): Driver<R> {
  /** The context as the removal expects it: both inputs are the same except for `taken`. */
  const as = (c: Context<R>, actionId: number): Context<N> => ({
    ...c,
    input: c.input as unknown as OperationInput<N>,
    actionId,
    task: c.task === 'run' ? 'undo' : 'run',
  })
  /** The removal that this action undoes; noted, because the trash no longer shows it afterwards. */
  const origin = async (c: Context<R>): Promise<number | undefined> => {
    const note = await notes.find('restored', `${c.actionId}`)
    if (note) return Number(note.about.from)
    for (const id of (c.input as { taken: number[] }).taken) if (await find(as(c, id))) return id // both inputs have it
    return undefined
  }
  return {
    async run(c) {
      const from = await origin(c)
      if (from === undefined) return c.say('nothing of it is in the trash')
      c.fence()
      await notes.keep('restored', `${c.actionId}`, c.actionId, { from: `${from}` })
      return removal.undo(as(c, from))
    },
    async undo(c) {
      const note = await notes.find('restored', `${c.actionId}`)
      if (!note) return c.say('nothing was restored from the trash, so nothing is moved back')
      await removal.run(as(c, Number(note.about.from)))
      await notes.drop('restored', `${c.actionId}`)
    },
    async inspect(c) {
      const note = await notes.find('restored', `${c.actionId}`)
      if (c.task === 'undo') return note ? 'no' : 'yes'
      const from = await origin(c)
      return from === undefined ? 'no' : removal.inspect(as(c, from))
    },
  }
}
