import { compare } from '../compare.ts'
import type { Ask } from '../load.ts'
import type { Options } from '../options.ts'
import { addressOf, itemsOf, type ListCall, listCalls } from '../requests.ts'
import type { Stage } from '../stage.ts'
import { atLeast, type Line, unmeasured } from '../table.ts'
import { leastStatements } from './statements.ts'

const SIZE = 50
/** Different pages of a list. The first pages are requested most often. */
const PAGES = [1, 2, 3, 1, 2, 5, 1, 9, 20, 60]

/** Measures pages of lists against a server that sends the least SQL for the same rows. */
export async function* least(stage: Stage, options: Options): AsyncGenerator<Line> {
  for (const call of listCalls) {
    const text = leastStatements[call.name]
    if (text && call.name.startsWith(options.call)) yield await measure(stage, call, text, options)
  }
}

async function measure(stage: Stage, call: ListCall, text: string, options: Options): Promise<Line> {
  const asks: Ask[] = []
  const expected: unknown[][] = []
  const pages: number[] = []
  for (const page of PAGES) {
    const paged = {
      [call.pageBy]: call.pageBy === 'page' ? page : (page - 1) * SIZE,
      ...(call.sizeBy && { [call.sizeBy]: SIZE }),
    }
    const ask = { path: addressOf(call, paged) }
    const { status, body } = await stage.hear(ask)
    if (status !== 200) return unmeasured('least', call.name, `${ask.path} answered ${status}: ${JSON.stringify(body)}`)
    const items = itemsOf(body)
    if (!items.length) continue
    asks.push(ask)
    pages.push(page)
    expected.push(items.map(({ id }) => id))
  }
  if (!asks.length) return unmeasured('least', call.name, 'its table is empty here: see bench/fill')
  const name = `least_${call.name}`
  await stage.floor.learn(
    pages.map((page) => ({ statements: [{ text, name, values: [SIZE, (page - 1) * SIZE] }], made: [] })),
  )
  for (const [n, ids] of expected.entries()) {
    const rows: unknown = await (await fetch(`http://127.0.0.1:${stage.floor.port}/${n}`)).json()
    if (JSON.stringify(idsOf(rows)) !== JSON.stringify(ids))
      return unmeasured('least', call.name, `the least SQL gives other rows than the app on page ${pages[n]}`)
  }
  const { share, detail } = await compare(
    stage,
    { floor: (n) => ({ path: `/${n % asks.length}` }), ours: (n) => asks[n % asks.length]! },
    options,
  )
  return atLeast('least', call.name, share, 0.8, detail)
}

const idsOf = (rows: unknown): unknown[] | string =>
  Array.isArray(rows) ? rows.map((row: { id?: unknown }) => row.id) : JSON.stringify(rows) // the text of an error
