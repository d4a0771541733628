import { byId, oneCalls } from './calls.ts'
import { type Kind, requestsOf } from './lists.ts'
import { type Ask, median, single } from './load.ts'
import type { Options } from './options.ts'
import { explore, listCalls } from './requests.ts'
import { openStage, type Stage } from './stage.ts'
import { known, type Line, short, unmeasured } from './table.ts'

const SIZES = [10_000, 1_000_000, 10_000_000]
/** Allowed growth of the cost of a call from 1M to 10M rows, as a factor. */
const limits: Record<Kind | 'get', number> = { get: 1.3, mixed: 1.3, 'key page': 1.3, search: 4 }
const VARIETY = 40
const ROUNDS = 5

/** Measures the p50 of single requests at each size, in ms. */
export async function* growth(server: string, options: Options): AsyncGenerator<Line> {
  const sizes = SIZES.filter((size) => size <= options.rows)
  const found = new Map<string, { limit: number; times: Map<number, number> }>()
  for (const size of sizes) {
    const stage = await openStage(server, size, options.seed)
    try {
      for (const { name, kind, asks } of await everything(stage, options)) {
        const of = found.get(name) ?? { limit: limits[kind], times: new Map() }
        await single(stage.ours.port, asks, stage.token) // warm up, because frequently read data is in memory at every size
        const rounds: number[] = []
        for (let n = 0; n < ROUNDS; n++) rounds.push(...(await single(stage.ours.port, asks, stage.token)))
        found.set(name, { ...of, times: of.times.set(size, median(rounds)) })
      }
    } finally {
      await stage.close()
    }
  }
  for (const call of listCalls)
    if (call.name.startsWith(options.call) && ![...found.keys()].some((name) => name.startsWith(`${call.name},`)))
      yield unmeasured('growth', call.name, 'the list failed or is empty, see lists')
  for (const [name, { limit, times }] of found) yield lineOf(name, limit, times)
}

interface Wanted {
  name: string
  kind: Kind | 'get'
  asks: Ask[]
}

/** All lists and pages of one object, with requests that find rows. */
export async function everything(stage: Stage, { call: begin }: Options): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  for (const { name, path, list } of oneCalls.filter(({ name }) => name.startsWith(begin)))
    wanted.push({ name, kind: 'get', asks: (await byId(stage, { path, list })).slice(0, VARIETY) })
  for (const call of listCalls.filter(({ name }) => name.startsWith(begin))) {
    const values = await explore(stage, call).catch(() => undefined) // the line of story `lists` shows the reason
    if (values)
      for (const { kind, asks } of await requestsOf(stage, call, values, VARIETY))
        wanted.push({ name: `${call.name}, ${kind}`, kind, asks })
  }
  return wanted.filter(({ asks }) => asks.length)
}

function lineOf(name: string, limit: number, times: Map<number, number>): Line {
  const detail = `p50 ${[...times].map(([size, ms]) => `${short(ms)} ms at ${words(size)}`).join(', ')}`
  const [few, many] = [times.get(1_000_000), times.get(10_000_000)]
  const first = times.get(10_000)
  const [low, high] = few && many ? [few, many] : [first, few]
  if (!low || !high) return known('growth', name, '–', detail)
  const from = few && many ? '10M / 1M' : '1M / 10k'
  const all = many && first ? `; 10M / 10k ${short(many / first)}` : ''
  return {
    story: 'growth',
    what: name,
    figure: `× ${short(high / low)}`,
    target: few && many ? `≤ × ${limit}` : '',
    reached: high / low <= limit,
    detail: `${from}; ${detail}${all}`,
  }
}

const words = (size: number) => (size >= 1_000_000 ? `${size / 1_000_000}M` : `${size / 1000}k`)
