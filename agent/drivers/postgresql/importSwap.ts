import type { Driver } from '../../kit/driver.ts'
import { exclusive, notes } from '../../kit/host.ts'
import { ask, shapeOf } from './ask.ts'
import { renameAll } from './database.ts'
import { dress } from './groups.ts'
import { SWAP } from './imports.ts'

/** Exchanges the contents of a database with the imported contents, in one transaction. Undo exchanges them again. */
export const swapImport: Driver<'database-import.swap'> = {
  run: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, aside, before } = c.input
      const there = { name: await shapeOf(name), aside: await shapeOf(aside), before: await shapeOf(before) }
      const note = await notes.find(SWAP, `${c.actionId}`)
      if (!note) {
        if (there.before) throw new Error(`${before} exists already on this server`)
        if (!there.name || !there.aside) throw new Error(`there is no ${there.name ? aside : name} on this server`)
        await dress(aside)
        c.fence()
        await notes.keep(SWAP, `${c.actionId}`, c.actionId)
      }
      c.fence()
      if (there.aside)
        await renameAll([
          [name, before],
          [aside, name],
        ])
      else for (const one of [name, before]) await ask(`alter database "${one}" allow_connections true;`)
      await notes.keep('pg-import-used', aside, c.actionId)
      c.say(`${name} has the imported contents; the former ones are in ${before}`)
    }),
  undo: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, aside, before } = c.input
      if (!(await notes.find(SWAP, `${c.actionId}`))) return c.say(`${name} was not exchanged by this action`)
      if (!(await shapeOf(aside))) {
        if (!(await shapeOf(before)))
          throw new Error(`${before} is not on this server: the former contents cannot return`)
        c.fence()
        await renameAll([
          [name, aside],
          [before, name],
        ])
      }
      await notes.drop(SWAP, `${c.actionId}`)
      c.say(`${name} has its former contents`)
    }),
  async inspect({ input: { aside, name }, task, actionId }) {
    const note = await notes.find(SWAP, `${actionId}`)
    if (task === 'undo') return note ? 'no' : 'yes'
    return note && (await shapeOf(name)) && !(await shapeOf(aside)) ? 'yes' : 'no'
  },
}
