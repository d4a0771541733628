import type { Context, Driver } from '../../../kit/driver.ts'
import { exclusive, notes, read, remove, replace, spooled } from '../../../kit/host.ts'
import { moveContents } from '../databaseRename.ts'
import { definitionsOf } from '../dump.ts'
import { type Shape, shapeOf } from '../mariadbAsk.ts'

type Swap = Context<'database-import.swap'>

/** Exchanges the contents of a database with the imported contents. Undo exchanges them again. */
export const swapImport: Driver<'database-import.swap'> = {
  run: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, aside, before } = c.input
      if (!(await notes.find(KIND, `${c.actionId}`))) {
        if (await shapeOf(before)) throw new Error(`${before} exists already on this server`)
        await begin(c, name, aside)
      }
      await exchange(c, [
        [name, before],
        [aside, name],
      ])
      await notes.keep('database-import-used', aside, c.actionId)
      c.say(`${name} has the imported contents; the former ones are in ${before}`)
    }),
  undo: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, aside, before } = c.input
      const note = await notes.find(KIND, `${c.actionId}`)
      if (!note) return c.say(`${name} was not exchanged by this action`)
      if (!note.about.back) {
        if (note.about.step === '1') {
          // the exchange was interrupted before the imported contents moved: move the former contents back
          const { first } = shapesOf(note)
          c.fence()
          await moveContents(before, name, first, (await read(await definitionsFile(c, 1))) ?? '')
          await notes.drop(KIND, `${c.actionId}`)
          return c.say(`${name} has its former contents`)
        }
        await exchange(c, [
          [name, before],
          [aside, name],
        ])
        if (!(await shapeOf(before)))
          throw new Error(`${before} is not on this server: the former contents cannot return`)
        await begin(c, name, before, { back: 'yes' })
      }
      await exchange(c, [
        [name, aside],
        [before, name],
      ])
      await notes.drop(KIND, `${c.actionId}`)
      c.say(`${name} has its former contents`)
    }),
  async inspect({ task, actionId }) {
    const note = await notes.find(KIND, `${actionId}`)
    if (task === 'undo') return note ? 'no' : 'yes'
    return note?.about.step === 'done' && !note.about.back ? 'yes' : 'no'
  },
}

const KIND = 'database-import-swap'
const definitionsFile = (c: Swap, move: number) => spooled(`definitions-${c.actionId}-${move}.sql.gz`)

/**
 * Saves views, triggers and routines of both databases, because a table that moves to another database loses its
 * triggers.
 */
async function begin(c: Swap, first: string, second: string, more: Record<string, string> = {}): Promise<void> {
  const shapes = { first: await shapeOf(first), second: await shapeOf(second) }
  if (!shapes.first) throw new Error(`there is no database ${first} on this server`)
  if (!shapes.second) throw new Error(`there is no database ${second} on this server`)
  await replace(await definitionsFile(c, 1), await definitionsOf(first), { mode: 0o600 })
  await replace(await definitionsFile(c, 2), await definitionsOf(second), { mode: 0o600 })
  c.fence()
  await notes.keep(KIND, `${c.actionId}`, c.actionId, { ...more, step: '1', shapes: JSON.stringify(shapes) })
}

/** Two moves. The note says which move is in progress, so that a repeat continues with it. */
async function exchange(c: Swap, [first, second]: [[string, string], [string, string]]): Promise<void> {
  const note = await notes.find(KIND, `${c.actionId}`)
  if (!note) throw new Error('the note of the exchange is gone')
  const shapes = shapesOf(note)
  if (note.about.step === '1') {
    c.fence()
    await moveContents(...first, shapes.first, (await read(await definitionsFile(c, 1))) ?? '')
    await notes.keep(KIND, `${c.actionId}`, c.actionId, { ...note.about, step: '2' })
  }
  if (note.about.step !== 'done') {
    c.fence()
    await moveContents(...second, shapes.second, (await read(await definitionsFile(c, 2))) ?? '')
    await notes.keep(KIND, `${c.actionId}`, c.actionId, { ...note.about, step: 'done' })
    for (const one of [1, 2]) await remove(await definitionsFile(c, one))
  }
}

const shapesOf = ({ about }: { about: Record<string, string> }) =>
  JSON.parse(about.shapes ?? '{}') as Record<'first' | 'second', Shape> // written by begin
