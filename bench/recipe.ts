import type { Sent } from './capture.ts'

/** A row that an earlier statement of the recipe inserted, by position. Its first column is the id. */
interface Made {
  statement: number
  id: number
}

/** The statements of one request of the app, which the floor repeats. */
export interface Recipe {
  statements: Pick<Sent, 'text' | 'values' | 'name'>[]
  /** For a write: ids that its own statements create and that are replaced each time. */
  made: Made[]
  /** For a write: a placeholder for values that must be new each time, such as a domain. */
  token?: string
}

/** The app caches bounded counts and the sizes of tables, so the floor leaves them out. */
const isCached = ({ text }: Sent) =>
  /^select count\(\*\)::int as n from \(select 1 from /.test(text) || text.startsWith('select reltuples::float8')

export const readRecipe = (sent: Sent[]): Recipe => ({
  statements: sent
    .filter((one) => !isCached(one))
    .map(({ text, values, name }) => ({ text, values, ...(name && { name }) })),
  made: [],
})

/** For a write: `token` is the value in the request that must be new each time. */
export function writeRecipe(sent: Sent[], token: string): Recipe {
  const made = sent.flatMap(({ text, rows: [row] }, statement) => {
    const first = /^insert into/i.test(text) && row && typeof row === 'object' ? Object.values(row)[0] : undefined
    return typeof first === 'number' ? [{ statement, id: first }] : []
  })
  return { statements: sent.map(({ text, values, name }) => ({ text, values, ...(name && { name }) })), made, token }
}

/** A value of a write, with the current token and ids in place of the recorded ones. */
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
