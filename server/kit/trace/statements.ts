import type { Db } from '../db/db.ts'
import { inSpan, isTracing } from './trace.ts'

interface Prepared {
  execute(...given: unknown[]): Promise<unknown>
}
interface Session {
  prepareQuery(query: { sql: string }, ...more: unknown[]): Prepared
}

const measuring = new WeakSet<object>()
/** Whether the statements that a session prepares are measured. */
export const isMeasured = (session: object): boolean => measuring.has(session)

/** Measures every statement of a database. Spans name what a statement does and its first table, never its text. */
export function traced<D extends Db>(db: D): D {
  if (!isTracing()) return db
  const { session } = db as unknown as { session: Session } // exists, but Drizzle's types hide it
  const prepare = session.prepareQuery.bind(session)
  measuring.add(session)
  session.prepareQuery = (query, ...more) => {
    const prepared = prepare(query, ...more)
    const { execute } = prepared
    const about = aboutOf(query.sql)
    prepared.execute = function measured(this: Prepared, ...given) {
      return inSpan(about, () => execute.apply(this, given))
    }
    return prepared
  }
  return db
}

function aboutOf(text: string) {
  const head = text.slice(0, 2000)
  const does =
    /^\W*(with|select|insert|update|delete|begin|commit|rollback)\b/i.exec(head)?.[1]?.toLowerCase() ?? 'other'
  const table = /\b(?:from|into|update)\s+"?([a-z_]{1,63})\b/i.exec(head)?.[1]
  return {
    name: table ? `${does} ${table}` : does,
    kind: 'client' as const,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': does,
      ...(table && { 'db.collection.name': table }),
    },
  }
}
