import type { ReportLine } from '@innkeeper/contract/hosting/moves/shapes'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { sized } from '../../kit/app/sized.ts'
import { type Db, rows } from '../../kit/db/db.ts'

interface Ended {
  name: string
  resourceName: string
  resourceId: number
  input: Record<string, unknown>
  output: unknown
}

const Files = z.object({ files: z.number(), bytes: z.number() })
const Http = z.object({ status: z.number(), ms: z.number() })
const Cron = z.object({ jobs: z.int(), runs: z.int() })
const Named = z.object({ names: z.int() })
const Keys = z.array(z.unknown())
const Rows = z.object({ rows: z.record(z.string(), z.number()), whole: z.boolean().optional() })

/** Report lines from the outputs of a move's actions, in their order. */
export async function reportOf(db: Db, workflowId: number): Promise<ReportLine[]> {
  const ended = await rows<Ended>(
    db,
    sql`select name, resource_name as "resourceName", resource_id::float8 as "resourceId", input, output from actions
      where workflow_id = ${workflowId} and status = 'done' and output is not null order by position`,
  )
  return [...ended.flatMap((action) => readers[action.name]?.(action, ended) ?? []), ...databasesOf(ended)]
}

/** One line per database: its load actions first load the dump, then the changes since. */
function databasesOf(ended: Ended[]): ReportLine[] {
  const loads = Map.groupBy(
    ended.filter(({ name }) => name === 'database.load'),
    ({ resourceName }) => resourceName,
  )
  return [...loads].map(([name, each]) => {
    let rows: Record<string, number> = {}
    for (const { input, output } of each) {
      const { data } = Rows.safeParse(output)
      const kept = input.renew && !data?.whole ? rows : {}
      rows = { ...kept, ...data?.rows }
    }
    const counts = Object.values(rows)
    const detail = `${counts.length} ${counts.length === 1 ? 'table' : 'tables'}, ${counts.reduce((all, n) => all + n, 0)} rows`
    return { type: 'database', name, result: 'same', detail }
  })
}

const Frozen = z.object({ stillRunning: z.number() })

function frozen({ resourceName, output }: Ended): ReportLine[] {
  const { data } = Frozen.safeParse(output)
  const detail = `${data?.stillRunning} still ran in its PHP 10 s after the freeze: what they wrote since is on the old server`
  return data?.stillRunning ? [{ type: 'requests', name: resourceName, result: 'differs', detail }] : []
}

const readers: Record<string, (action: Ended, all: readonly Ended[]) => ReportLine[]> = {
  'nginx-site.ensure': frozen,
  'apache-site.ensure': frozen,
  'transfer.verify': ({ input, output }) => {
    const { success, data } = Files.safeParse(output)
    const name = String(input.path)
    return success
      ? [
          {
            type: 'files',
            name,
            result: 'same',
            detail: `${data.files.toLocaleString('en-GB')} files, ${sized(data.bytes)}, every checksum alike`,
          },
        ]
      : []
  },
  'sftp-access.ensure': (action, all) => {
    const { resourceName, resourceId, input } = action
    const ofAccount = all.filter((one) => one.name === action.name && one.resourceId === resourceId)
    const closing = ofAccount.find((one) => one.input.state === 'suspended')
    if (closing && closing !== action) return []
    if (closing) {
      const detail =
        ofAccount.at(-1) === closing
          ? 'is closed on the old server'
          : `is open on the old server for other websites, not for the files of this one`
      return [{ type: 'sftp', name: resourceName, result: 'done', detail }]
    }
    const { length } = Keys.parse(input.keys)
    return [
      {
        type: 'sftp',
        name: resourceName,
        result: 'done',
        detail: `lets in ${length} ${length === 1 ? 'key' : 'keys'}`,
      },
    ]
  },
  'crontab.take': ({ resourceName, output }) => {
    const { data } = Cron.safeParse(output)
    if (!data?.jobs) return []
    const jobs = `${data.jobs} ${data.jobs === 1 ? 'job' : 'jobs'}`
    return data.runs
      ? [{ type: 'cron', name: resourceName, result: 'done', detail: `${jobs} run on the new server` }]
      : [{ type: 'cron', name: resourceName, result: 'differs', detail: `${jobs}, and the new server has no cron` }]
  },
  'website.dns': ({ resourceName, output }) => {
    const { success, data } = Named.safeParse(output)
    const detail = `${data?.names} ${data?.names === 1 ? 'name leads' : 'names lead'} to the new server`
    return success ? [{ type: 'dns', name: resourceName, result: 'done', detail }] : []
  },
  'edge-site.ensure': ({ resourceName, input }) => [
    { type: 'edge', name: resourceName, result: 'done', detail: `fetches it from ${input.origin}` },
  ],
  'website.probe': ({ resourceName, output }) => {
    const { success, data } = Http.safeParse(output)
    return success
      ? [
          {
            type: 'http',
            name: resourceName,
            result: 'done',
            detail: `the new server answers ${data.status} in ${data.ms} ms`,
          },
        ]
      : []
  },
}

/**
 * Milliseconds from the start of the first freeze to the end of the last proxy action, by our own clock, so at least as
 * long as visitors were affected. Null if nothing was frozen.
 */
export async function freezeOf(db: Db, workflowId: number): Promise<number | null> {
  const [found] = await rows<{ ms: number | null }>(
    db,
    sql`select round(extract(epoch from max(ended_at) filter (where input ->> 'state' = 'moved')
        - min(started_at) filter (where input ->> 'state' = 'moving')) * 1000)::int as ms
      from actions where workflow_id = ${workflowId} and name in ('nginx-site.ensure', 'apache-site.ensure') and status = 'done'`,
  )
  return found?.ms ?? null
}
