import { median, single } from './load.ts'
import type { Stage } from './stage.ts'
import { known, type Line, short, unmeasured } from './table.ts'

const AGAIN = 5
/** Single filters, and combinations that rarely match together. Values come from bench/fill. */
const questions = [
  '',
  'agents=1',
  'agents=2,3,4',
  'agents=0',
  'service_ids=website',
  'service_ids=dns,users',
  'service_ids=calendar',
  'actions=create',
  'results=denied',
  'results=failed,denied',
  'resources=zone',
  'ip=192.0.2.5',
  'resource_id=77',
  'text=c4ca42',
  'text=thing',
  'agents=1&results=denied',
  'agents=1&ip=192.0.2.5',
  'service_ids=website&resources=zone',
  'agents=1&service_ids=website&actions=delete',
  'end_time=2020-01-01T00:00:00Z',
]

/** Measures each filter of the action log in both sort orders: the first request of a page with its count, then repeated ones. */
export async function* log(stage: Stage): AsyncGenerator<Line> {
  for (const question of questions)
    for (const direction of ['DESC', 'ASC']) {
      const what = `${question || 'all'}, ${direction}`
      const ask = { path: `/api/logs?${question}&sort=${direction}` }
      const { status, body } = await stage.hear(ask)
      if (status !== 200) yield unmeasured('log', what, `it answered ${status}: ${JSON.stringify(body)}`)
      else {
        const [first = Number.NaN] = await single(stage.ours.port, [ask], stage.token)
        const again = median(await single(stage.ours.port, Array(AGAIN).fill(ask), stage.token))
        const rows = `${body.total}${body.more ? '+' : ''} rows`
        yield known('log', what, `${short(first)} ms`, `${short(again)} ms again, ${rows}`)
      }
    }
}
