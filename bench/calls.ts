import { contract } from '@innkeeper/contract/index'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { compare } from './compare.ts'
import type { Ask } from './load.ts'
import type { Options } from './options.ts'
import { type Recipe, readRecipe, writeRecipe } from './recipe.ts'
import { addressOf, explore, itemsOf, listCalls } from './requests.ts'
import type { Stage } from './stage.ts'
import { atLeast, type Line, unmeasured } from './table.ts'

const VARIETY = 150

/** Calls that read one object by id, for every domain with a list that provides ids. */
export const oneCalls = Object.entries(contract).flatMap(([domain, entries]) =>
  Object.entries(entries as Record<string, Endpoint>).flatMap(([name, { method, path, effect }]) => {
    const list = listCalls.find((call) => call.name === `${domain}.list`)
    const single = /^(one|view)$/.test(name) && method === 'GET' && effect === 'read' && /^[^:]+\/:id$/.test(path)
    return single && list ? [{ name: `${domain}.${name}`, path, list }] : []
  }),
)

/** Measures reads by random ids. */
export async function* gets(stage: Stage, options: Options): AsyncGenerator<Line> {
  for (const { name, path, list } of oneCalls) {
    if (!name.startsWith(options.call)) continue
    const asks = await byId(stage, { path, list })
    const recipes: Recipe[] = []
    for (const ask of asks) recipes.push(readRecipe((await stage.hear(ask)).sent))
    yield asks.length && recipes.every(({ statements }) => statements.length)
      ? await against(stage, 'get', name, asks, recipes, options)
      : unmeasured('get', name, 'no rows, or no SQL that a floor could send')
  }
}

/** Requests for ids from pages of the list. */
export async function byId(stage: Stage, { path, list }: Omit<(typeof oneCalls)[number], 'name'>): Promise<Ask[]> {
  const known = await explore(stage, list).catch(() => undefined) // the line of the list shows the reason
  if (!known) return []
  const ids: unknown[] = []
  for (let n = 0; n < 6; n++) {
    const page = 1 + stage.dice.below(Math.max(1, Math.floor(known.total / 25)))
    const { body } = await stage.hear({ path: addressOf(list, { [list.pageBy]: page }) })
    ids.push(...itemsOf(body).flatMap((item) => item.id ?? []))
  }
  const asks: Ask[] = []
  for (let n = 0; ids.length && n < VARIETY; n++) {
    const ask = { path: `/api${path.replace(':id', String(stage.dice.pick(ids)))}` }
    if ((await stage.hear(ask)).status === 200) asks.push(ask)
  }
  return asks
}

const TOKEN = 'benchtoken'
/** Different owners, because two websites of one owner lock the same account and wait for each other. */
const OWNERS = 100

interface Creation {
  name: string
  path: string
  /** `token` stands for values that must be new, `owner` for the owner's id. */
  body(token: string, owner: number): unknown
}
const creations: Creation[] = [
  {
    name: 'owners.create',
    path: '/api/owners',
    body: (token) => ({ name: `Owner ${token}`, email: `${token}@example.org` }),
  },
  {
    name: 'websites.create and its workflow',
    path: '/api/websites',
    body: (token, userId) => ({ originServer: 1, domain: `${token}.example.org`, userId, plan: 5 }),
  },
]

/** The floor sends the same statements as the app, including the log row, with its own ids and names. */
export async function* creates(stage: Stage, options: Options): AsyncGenerator<Line> {
  let made = 0
  const fresh = () => `o${(made++).toString(36)}x${Date.now().toString(36)}`
  for (const { name, path, body } of creations) {
    if (!name.startsWith(options.call)) continue
    const recipes: Recipe[] = []
    let refused: string | undefined
    for (let owner = 1; owner <= OWNERS && !refused; owner++) {
      // the first request creates what later ones share, such as the owner's account
      await stage.hear({ method: 'POST', path, body: body(fresh(), owner) })
      const token = TOKEN + fresh()
      const heard = await stage.hear({ method: 'POST', path, body: body(token, owner) })
      if (heard.status === 201) recipes.push(writeRecipe(heard.sent, token))
      else refused = `answered ${heard.status}: ${JSON.stringify(heard.body).slice(0, 200)}`
    }
    if (refused) {
      yield unmeasured('create', name, refused)
      continue
    }
    await stage.floor.learn(recipes)
    const { share, detail } = await compare(
      stage,
      {
        floor: (n) => ({ path: `/${n % OWNERS}` }),
        ours: (n) => ({ method: 'POST', path, body: body(fresh(), 1 + (n % OWNERS)) }),
      },
      options,
    )
    yield atLeast('create', name, share, 0.8, `${recipes[0]?.statements.length} statements; ${detail}`)
  }
}

async function against(stage: Stage, story: string, what: string, asks: Ask[], recipes: Recipe[], options: Options) {
  await stage.floor.learn(recipes)
  const bare = recipes.map((_, n) => ({ path: `/${n}` }))
  const { share, detail } = await compare(
    stage,
    { floor: (n) => bare[n % bare.length]!, ours: (n) => asks[n % asks.length]! },
    options,
  )
  return atLeast(story, what, share, 0.8, detail)
}
