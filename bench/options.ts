import { parseArgs } from 'node:util'

export interface Options {
  /** Names of the stories to run; empty: all. */
  only: string[]
  /** Number of websites in the database; `growth` compares sizes up to it. */
  rows: number
  /** Only calls whose name starts with this text: `websites`, `logs.list`. */
  call: string
  seed: number
  /** Repetitions, alternating between both sides; the median counts. */
  rounds: number
  /** Seconds of load per side and repetition. */
  seconds: number
  /** `postgres://…` of a server that keeps filled databases between runs; absent: a temporary PostgreSQL. */
  postgres?: string
}

const units: Record<string, number> = { k: 1000, m: 1_000_000 }

/** Parses `10k`, `1M` or `250000`. Throws for anything else. */
function countOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([km]?)$/i.exec(text) ?? []
  if (!digits) throw new Error(`${text} is not a number of rows, such as 10k, 1M or 10M`)
  return Number(digits) * (units[unit.toLowerCase()] ?? 1)
}

/** `--only lists,growth --call websites --rows 1M --seed 7 --rounds 3 --seconds 2 --postgres URL` */
export function readOptions(argv: string[], stories: string[]): Options {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string', default: '' },
      rows: { type: 'string', default: '1M' },
      call: { type: 'string', default: '' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      postgres: { type: 'string' },
    },
  })
  const only = values.only.split(',').filter(Boolean)
  const unknown = only.find((name) => !stories.includes(name))
  if (unknown) throw new Error(`There is no story ${unknown}: ${stories.join(', ')}`)
  return {
    only,
    rows: countOf(values.rows),
    call: values.call,
    seed: Number(values.seed),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    ...(values.postgres && { postgres: values.postgres }),
  }
}
