import { compare } from './compare.ts'
import type { Ask } from './load.ts'
import type { Options } from './options.ts'
import { type Recipe, readRecipe } from './recipe.ts'
import { addressOf, explore, itemsOf, type Known, type ListCall, listCalls, randomList } from './requests.ts'
import type { Stage } from './stage.ts'
import { atLeast, type Line, unmeasured } from './table.ts'

/** Kinds of requests that each list call is measured with. */
const kinds = ['mixed', 'key page', 'search'] as const
export type Kind = (typeof kinds)[number]
export interface Asked {
  kind: Kind
  asks: Ask[]
}
const VARIETY = 120

/** Measures every list call of the contract: random pages, filters and sorts, the page behind a key, and searches. */
export async function* lists(stage: Stage, options: Options): AsyncGenerator<Line> {
  for (const call of listCalls) {
    if (!call.name.startsWith(options.call)) continue
    const known = await explore(stage, call).catch((error: Error) => error)
    if (known instanceof Error) yield unmeasured('lists', call.name, `the list itself failed: ${known.message}`)
    else if (known.total === 0) yield unmeasured('lists', call.name, 'its table is empty here: see bench/fill')
    else for (const asked of await requestsOf(stage, call, known)) yield await measure(stage, call, asked, options)
  }
}

/** Requests of each kind that the call supports. */
export async function requestsOf(stage: Stage, call: ListCall, known: Known, variety = VARIETY): Promise<Asked[]> {
  const many = <T>(make: () => T) => Array.from({ length: variety }, make)
  const found: Asked[] = [{ kind: 'mixed', asks: many(() => randomList(call, known, stage.dice)) }]
  const behind = await keyPages(stage, call, known)
  if (behind.length) found.push({ kind: 'key page', asks: behind })
  const searches = Object.entries(known.searches).flatMap(([key, values]) =>
    values.map((value) => [key, value] as const),
  )
  if (searches.length) {
    const search = () => {
      const [key, value] = stage.dice.pick(searches)
      return { path: addressOf(call, { [key]: value, ...(call.sizeBy && { [call.sizeBy]: 50 }) }) }
    }
    found.push({ kind: 'search', asks: many(search) })
  }
  return found
}

/** Follows `next` page after page, for each sort order, starting in the middle. */
async function keyPages(stage: Stage, call: ListCall, { total }: Known): Promise<Ask[]> {
  const asks: Ask[] = []
  const middle = Math.max(1, Math.min(100, Math.floor(total / 100)))
  for (const sort of call.sorts.length ? call.sorts : [undefined]) {
    let query: Record<string, unknown> = {
      page: middle,
      ...(sort && { sort }),
      ...(call.sizeBy && { [call.sizeBy]: 50 }),
    }
    for (let n = 0; n < 10; n++) {
      const { body } = await stage.hear({ path: addressOf(call, query) })
      if (typeof body.next !== 'string' || itemsOf(body).length === 0) break
      query = { ...query, page: Number(query.page) + 1, after: body.next }
      asks.push({ path: addressOf(call, query) })
    }
  }
  return asks
}

async function measure(stage: Stage, call: ListCall, { kind, asks }: Asked, options: Options): Promise<Line> {
  const recipes: Recipe[] = []
  for (const ask of asks) {
    const { status, body, sent } = await stage.hear(ask)
    if (status !== 200)
      return unmeasured('lists', `${call.name}, ${kind}`, `${ask.path} answered ${status}: ${JSON.stringify(body)}`)
    const recipe = readRecipe(sent)
    if (recipe.statements.length) recipes.push(recipe)
  }
  if (!recipes.length) return unmeasured('lists', `${call.name}, ${kind}`, 'it sends no SQL that a floor could send')
  await stage.floor.learn(recipes)
  const bare = recipes.map((_, n) => ({ path: `/${n}` }))
  const { share, detail } = await compare(
    stage,
    { floor: (n) => bare[n % bare.length]!, ours: (n) => asks[n % asks.length]! },
    options,
  )
  return atLeast('lists', `${call.name}, ${kind}`, share, 0.8, detail)
}
