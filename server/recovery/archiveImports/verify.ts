import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { askUntil, isServed } from '../../hosting/websites/probe.ts'
import { rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import type { Work } from '../../kit/work/action.ts'
import { archiveImports, type Made } from './tables.ts'
import { reportAgain } from './verifyAgain.ts'
import { changesOf, loadedBy } from './verifyDump.ts'
import { line, lostOf, reportMail } from './verifyMail.ts'
import { pagesOf } from './verifySource.ts'
import { zonesOf } from './verifyZones.ts'
import { rowOf } from './view.ts'

/** Resource type of the step that sums the files as they were unpacked. */
export const SUMS = 'archive-files'

const count = z.int()
const Unpacked = z.object({
  sites: z.array(
    z.object({
      ...{ websiteId: count, files: count, bytes: z.number(), links: count, refused: z.record(z.string(), count) },
      // absent in answers of older agents
      sum: z.string().optional(),
    }),
  ),
  jobs: count,
})
const Summed = z.object({ sites: z.array(z.object({ websiteId: count, sum: z.string().optional() })) })
const Compared = z.object({
  sites: z.array(z.object({ websiteId: count, files: count, bytes: z.number(), foreign: count })),
  databases: z.array(z.object({ name: z.string(), tables: count, rows: count })),
  mail: z.array(z.object({ mailboxId: count, mailboxes: z.array(z.object({ userId: count, messages: count })) })),
})
/** Absent in answers of older agents. */
const Stamped = z.object({ at: z.int() })
const Taken = z.object({ jobs: count, runs: count })

interface Output {
  name: string
  resourceType: string
  resourceId: number
  output: unknown
}

/** Reads what the steps counted, asks each website, stores the report, and throws if anything differs. */
export async function verify(id: number, work: Work): Promise<{ lines: number }> {
  const { db } = work.app
  const { inventory, made, workflowId } = await rowOf(db, id)
  if (!inventory || !made || !workflowId) throw new Error('this import has made nothing')
  const outputs = await rows<Output>(
    db,
    sql`select name, resource_type as "resourceType", resource_id as "resourceId", output from actions where workflow_id = ${workflowId} and status = 'done'
      and name in ('archive.unpack', 'archive.mail', 'archive.again', 'archive.compare', 'database-import.load', 'crontab.take')`,
  )
  const of = (name: string, resourceId?: number) =>
    outputs.find(
      (one) =>
        one.name === name && one.resourceType !== SUMS && (resourceId === undefined || one.resourceId === resourceId),
    )?.output
  const at = Stamped.safeParse(of('archive.again') ?? of('archive.unpack')).data?.at
  const [found, things] = [inventory, made]
  async function first(): Promise<ReportLine[]> {
    const there = Compared.parse(of('archive.compare'))
    return [
      ...filesOf(found, things, of('archive.unpack'), there),
      ...sumsOf(things, of('archive.unpack'), outputs.find(({ resourceType }) => resourceType === SUMS)?.output),
      ...databasesOf(things, of, there),
      ...reportMail(found.mail, things.mailboxes, of, there.mail),
      ...(await answersOf(things, work)),
      ...(await pagesOf(id, things, work)),
      ...(await zonesOf(things, work)),
      ...cronOf(things, of('archive.unpack'), of('crontab.take')),
    ]
  }
  const report: ReportLine[] = made.again ? reportAgain(made, of) : await first()
  await db.transaction(async (tx) => {
    await tx
      .update(archiveImports)
      .set({
        report,
        made: { ...things, ...(at !== undefined && { at }) },
        ...nextVersion,
      })
      .where(eq(archiveImports.id, id))
    await changed(tx, 'archiveImports', id)
  })
  const bad = report.filter(({ verdict }) => verdict === 'differs')
  if (bad.length)
    throw new Error(
      `${bad.length} of ${report.length} comparisons differ: ${bad
        .slice(0, 5)
        .map(({ name, what, archive, here }) => `${name}, ${what}: ${archive} and ${here}`)
        .join('; ')}`,
    )
  work.say(`${report.length} comparisons, all the same`)
  return { lines: report.length }
}

/** Files that the archive has, without those that the plan says are refused; and what lies in the folders. */
function filesOf(
  inventory: Inventory,
  made: Made,
  unpacked: unknown,
  { sites }: z.output<typeof Compared>,
): ReportLine[] {
  const read = made.websites.length ? Unpacked.parse(unpacked) : { sites: [] }
  return made.websites.flatMap(({ id, domain, from }) => {
    const found = inventory.websites.find((one) => one.domain === from)
    const written = read.sites.find((one) => one.websiteId === id)
    const here = sites.find((one) => one.websiteId === id)
    const expected = (found?.files ?? 0) - lostOf(written?.refused ?? {})
    return [
      line('website', domain, 'files', expected, here?.files ?? 0),
      line('website', domain, 'links', found?.links ?? 0, written?.links ?? 0),
      line('website', domain, 'files of other owners', 0, here?.foreign ?? 0),
    ]
  })
}

/** Names and contents of all files: as they came out of the archive, and as they lay in their folders afterwards. */
function sumsOf(made: Made, unpacked: unknown, summed: unknown): ReportLine[] {
  const written = made.websites.length ? Unpacked.parse(unpacked).sites : []
  const there = summed === undefined ? [] : Summed.parse(summed).sites
  return made.websites.flatMap(({ id, domain }) => {
    const [was, is] = [written, there].map((sites) => sites.find(({ websiteId }) => websiteId === id)?.sum)
    return was && is ? [line('website', domain, 'checksum of names and contents', was, is)] : []
  })
}

function databasesOf(
  made: Made,
  of: (name: string, id?: number) => unknown,
  { databases }: z.output<typeof Compared>,
): ReportLine[] {
  return made.databases.flatMap(({ id, name }) => {
    const loaded = loadedBy(of, id)
    const here = databases.find((one) => one.name === name)
    return [
      line('database', name, 'tables', loaded.tables, here?.tables ?? 0),
      line('database', name, 'rows', loaded.rows, here?.rows ?? 0),
      ...changesOf(name, loaded),
    ]
  })
}

/** An answer of each website by its name, from its new server. */
async function answersOf(made: Made, work: Work): Promise<ReportLine[]> {
  const lines: ReportLine[] = []
  for (const { id, domain, state } of made.websites) {
    const [site] = await rows<{ serverId: number }>(
      work.app.db,
      sql`select server_id as "serverId" from websites where website_id = ${id}`,
    )
    const fits = (status: number) => (state === 'suspended' ? status === 503 : isServed(status))
    const wanted = state === 'suspended' ? '503' : 'a page'
    const answer = await askUntil(
      work,
      { serverId: site?.serverId ?? 0, host: domain, path: '/', follow: true },
      wanted,
      ({ status }) => status !== undefined && fits(status),
    ).catch((error: unknown) => ({ status: undefined, why: error instanceof Error ? error.message : String(error) }))
    const good = answer.status !== undefined
    lines.push({
      kind: 'website',
      name: domain,
      what: 'answer by HTTP',
      archive: wanted,
      here: good ? `${answer.status}` : 'why' in answer ? answer.why : 'none',
      verdict: good ? 'same' : 'differs',
    })
  }
  return lines
}

function cronOf(made: Made, unpacked: unknown, taken: unknown): ReportLine[] {
  if (!made.cron) return []
  return [line('cron', 'Cron jobs', 'jobs', Unpacked.parse(unpacked).jobs, Taken.parse(taken).runs)]
}
