import type { log as contract } from '@innkeeper/contract/access/log'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import { type AnyColumn, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { actionLogs } from '../../kit/audit/tables.ts'
import { all, contains, type Source, startsWith } from '../../kit/db/page.ts'

export type Filters = Omit<Input<typeof contract.newer, 'out'>, 'than'>

/** Maximum number of combined index reads; more filter values use a single condition. */
const MOST_WAYS = 12
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Source and conditions for log rows. For filters with several values, reads each value from its own index in order and
 * merges the results, because a single condition would scan ten million rows for rare values.
 */
export function findLogs(filters: Filters, direction: 'ASC' | 'DESC' = 'DESC'): Pick<Source, 'from' | 'where'> {
  const where = oneByOne(filters)
  let ways: SQL[][] = [[]]
  for (const choice of choices(filters)) {
    if (ways.length * choice.length > MOST_WAYS) where.push(sql`(${sql.join(choice, sql` or `)})`)
    else ways = ways.flatMap((way) => choice.map((one) => [...way, one]))
  }
  const [only = [], ...more] = ways
  if (!more.length) return { from: sql`${actionLogs}`, where: [...where, ...only] }
  const order = sql.raw(direction)
  // each part is sorted; otherwise PostgreSQL 15 reads all rows and sorts them
  const parts = ways.map(
    (way) =>
      sql`(select * from ${actionLogs} where ${all(way)} order by ${actionLogs.at} ${order}, ${actionLogs.id} ${order})`,
  )
  return { from: sql`(${sql.join(parts, sql` union all `)}) as ${actionLogs}`, where }
}

/** One list of alternatives for each filter with several values. */
function choices({ agents, service_ids, actions, resources, results, website }: Filters): SQL[][] {
  const any = (column: AnyColumn, values: readonly string[] | undefined) =>
    values ? [...new Set(values)].map((value) => eq(column, value)) : []
  const failing = results?.includes('success') ? [] : [...new Set(results)]
  return [
    agents
      ? [...new Set(agents)].map((id) => (id === 0 ? isNull(actionLogs.staffId) : eq(actionLogs.staffId, id)))
      : [],
    any(actionLogs.service, service_ids),
    website ? ofWebsite(website) : [],
    any(actionLogs.action, actions),
    any(actionLogs.resource, resources),
    // a literal, because PostgreSQL does not use the partial index of failed rows with a parameter
    failing.map((result) => sql`${actionLogs.result} = ${sql.raw(`'${result}'`)}`),
  ].filter((choice) => choice.length > 0)
}

/** Rows before migration 0132 tell of the website itself only. */
const ofWebsite = (id: number): SQL[] => [
  eq(actionLogs.websiteId, id),
  sql`${actionLogs.resourceId} = ${String(id)} and ${actionLogs.resource} = 'website' and ${actionLogs.websiteId} is null`,
]

function oneByOne({ results, resource_id, workflow, ip, text, start_time, end_time }: Filters): SQL[] {
  const where: SQL[] = []
  if (results?.includes('success') && new Set(results).size < 3) where.push(inArray(actionLogs.result, results))
  if (resource_id) where.push(eq(actionLogs.resourceId, resource_id))
  if (workflow) where.push(eq(actionLogs.workflowId, workflow))
  if (ip) where.push(eq(actionLogs.ip, ip))
  if (start_time) where.push(sql`${actionLogs.at} >= ${start_time}::timestamptz`)
  if (end_time) where.push(sql`${actionLogs.at} <= ${end_time}::timestamptz`)
  if (text) where.push(named(text))
  return where
}

/** Texts of fewer than three letters have no trigram, so that they match only the beginning of a name. */
function named(text: string): SQL {
  // request ids, which error dialogs show
  if (uuid.test(text)) return sql`${actionLogs.requestId} = ${text} and ${actionLogs.result} <> 'success'`
  return (text.length < 3 ? startsWith : contains)(actionLogs.subject, text)
}
