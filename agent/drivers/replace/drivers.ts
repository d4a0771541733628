import { existsSync } from 'node:fs'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, notes, remove, spooled } from '../../kit/host.ts'
import { changesIn } from './changesIn.ts'
import { type Asked, type Change, chosen, needleOf, type Opened, type Table, type Tally, tally } from './found.ts'
import type { Wanted } from './inBytes.ts'
import { lineByLine, readJournal, writeJournal } from './journal.ts'

/** Opens a database for a search or for changes of its rows. */
export type Open = <T>(name: string, work: (opened: Opened) => Promise<T>) => Promise<T>

const KIND = 'database-replace'

/** Reads one table and passes on its changes. */
const readTable = (
  { rows }: Opened,
  table: Table,
  asked: Asked,
  counts: Tally,
  { withinMs, keep, ready }: { withinMs?: number; keep: (one: Change) => void; ready?: () => Promise<void> },
) => rows(table, needleOf(asked), lineByLine(changesIn(table, asked, counts, keep), ready), withinMs)

/** Counts what a replacement would change. Lists the tables that could not be searched in time. */
const searching = (open: Open): Driver<'database.search'> => ({
  run: ({ input, stop }) =>
    open(input.name, async (opened) => {
      const end = performance.now() + input.seconds * 1000
      const counts = tally()
      const unsearched: string[] = []
      const tables = chosen(opened.tables, input)
      for (const table of tables) {
        const withinMs = end - performance.now()
        if (withinMs < 50 || stop.aborted) unsearched.push(table.name)
        else
          await readTable(opened, table, input, counts, { withinMs, keep: () => {} }).catch((error: unknown) => {
            if (!/took longer/.test(String(error))) throw error
            unsearched.push(table.name)
          })
      }
      return { ...counts.answer(), tables: tables.length, unsearched: unsearched.slice(0, 200) }
    }),
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
})

/**
 * Writes every change into a journal first. A repeat after a crash follows the journal: otherwise, a new text that
 * contains the former one would be replaced twice.
 */
const replacing = (open: Open) => ({
  run: (c: Replacing) =>
    exclusive(`database ${c.input.name}`, () =>
      open(c.input.name, async (opened) => {
        const { input, say, fence } = c
        const file = await spooled(input.keep)
        const begun = await noteOf(c)
        const answer = begun?.about.answer ?? (await prepare(c, opened, file))
        const { values } = JSON.parse(answer) as { values: number }
        fence()
        const made = values ? await opened.write(readJournal(file, false)) : 0
        const changed = begun ? values : made
        say(`${changed} values of ${input.name} now contain ${input.to}`)
        if (changed < values) say(`${values - changed} values were changed by somebody else meanwhile: they stay`)
        return { ...(JSON.parse(answer) as object), changed }
      }),
    ),
  undo: (c: Replacing) =>
    exclusive(`database ${c.input.name}`, async () => {
      const file = await spooled(c.input.keep)
      if (!(await noteOf(c))) {
        await remove(file)
        return c.say(`${c.input.name} was not changed`)
      }
      c.fence()
      const made = existsSync(file) ? await open(c.input.name, ({ write }) => write(readJournal(file, true))) : 0
      await remove(file)
      await notes.drop(KIND, `${c.actionId}`)
      c.say(`${made} values of ${c.input.name} are what they were`)
    }),
  async inspect(c: Replacing) {
    return c.task === 'undo' && !(await noteOf(c)) ? ('yes' as const) : ('no' as const) // the answer of a run is needed; a repeat is harmless
  },
})

type Replacing = Omit<Context<'database.replace'>, 'input'> & {
  input: Omit<OperationInput<'database.replace'>, 'how'> & Pick<Wanted, 'how'>
}

/** The same for names that tables of another website brought along. */
function owningNames(open: Open): Driver<'database.own-names'> {
  const { run, undo, inspect } = replacing(open)
  const named = (c: Context<'database.own-names'>): Replacing => ({ ...c, input: { ...c.input, how: 'names' } })
  return { run: (c) => run(named(c)), undo: (c) => undo(named(c)), inspect: (c) => inspect(named(c)) }
}

const noteOf = ({ actionId }: Pick<Replacing, 'actionId'>) => notes.find(KIND, `${actionId}`)

async function prepare(c: Replacing, opened: Opened, file: string): Promise<string> {
  const { input, say, actionId } = c
  const counts = tally()
  await writeJournal(file, async ({ keep, ready }) => {
    for (const table of chosen(opened.tables, input)) await readTable(opened, table, input, counts, { keep, ready })
  })
  const answer = counts.answer()
  const columns = answer.columns.map(({ table, column, values, count }) => ({ table, column, values, count }))
  say(`${answer.values} values of ${input.name} contain ${input.from}: their former texts are kept in ${input.keep}`)
  for (const { table, column, values, why } of answer.left) say(`${values} values of ${table}.${column} stay: ${why}`)
  const kept = JSON.stringify({ ...answer, columns })
  await notes.keep(KIND, `${actionId}`, actionId, { answer: kept })
  return kept
}

/** Reverts a replacement, except values that somebody has changed since. Undo applies the replacement again. */
const puttingBack = (open: Open): Driver<'database.put-back'> => {
  const follow = (back: boolean) => (c: Context<'database.put-back'>) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, file, values } = c.input
      const path = await spooled(file)
      if (!existsSync(path)) throw new Error(`${file} is no longer on this server`)
      c.fence()
      const changed = await open(name, ({ write }) => write(readJournal(path, back)))
      c.say(`${changed} values of ${name} are ${back ? 'what they were' : 'replaced again'}`)
      if (back && changed < values)
        c.say(`${values - changed} values were not: somebody has changed them since, or an earlier attempt did it`)
      return { changed }
    })
  return { run: follow(true), undo: follow(false), inspect: async () => 'no' } // compares each value before it writes
}

export const replaceDrivers = (open: Open) => ({
  'database.search': searching(open),
  'database.replace': replacing(open),
  'database.own-names': owningNames(open),
  'database.put-back': puttingBack(open),
})
