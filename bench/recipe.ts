import type { Sent } from './capture.ts'

/** A row that an earlier statement of the recipe made, by place: its first column is its id. */
interface Made {
  statement: number
  id: number
}

/** The SQL of one request of the app, for the floor to send with nothing around it. */
export interface Recipe {
  statements: Pick<Sent, 'text' | 'values' | 'name'>[]
  /** Of a write: ids that its own statements make, to be put in anew each time. */
  made: Made[]
  /** Of a write: stands for what has to be new each time, such as a domain. */
  token?: string
}

/** Bounded counts are remembered by the app; the floor never counts. */
const isCount = ({ text }: Sent) => /^select count\(\*\)::int from \(select 1 from /.test(text)

export const readRecipe = (sent: Sent[]): Recipe => ({
  statements: sent
    .filter((one) => !isCount(one))
    .map(({ text, values, name }) => ({ text, values, ...(name && { name }) })),
  made: [],
})

/** Of a call that writes: `token` stood in the request in the place of what must be new. */
export function writeRecipe(sent: Sent[], token: string): Recipe {
  const made = sent.flatMap(({ text, rows: [row] }, statement) => {
    const first = /^insert into/i.test(text) && row && typeof row === 'object' ? Object.values(row)[0] : undefined
    return typeof first === 'number' ? [{ statement, id: first }] : []
  })
  return { statements: sent.map(({ text, values, name }) => ({ text, values, ...(name && { name }) })), made, token }
}

/** A value of a write with this time's token and ids in the place of the recorded ones. */
export function renewed(value: unknown, { made, token }: Recipe, fresh: string, ids: Map<number, unknown>): unknown {
  const isNew = (statement: number) => ids.has(statement)
  if (typeof value === 'number') {
    const own = made.find(({ id, statement }) => id === value && isNew(statement))
    return own ? ids.get(own.statement) : value
  }
  if (Array.isArray(value)) return value.map((item) => renewed(item, { made, token, statements: [] }, fresh, ids))
  if (typeof value !== 'string') return value
  let text = token ? value.replaceAll(token, fresh) : value
  for (const { id, statement } of made)
    if (isNew(statement)) text = text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), String(ids.get(statement)))
  return text
}
