import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { overDisk } from '../../../hosting/plans/room.ts'
import { plans } from '../../../hosting/plans/tables.ts'
import { findOwner, findServer, isReserved, type Problems } from '../../../hosting/systemUsers/place.ts'
import { systemUsers } from '../../../hosting/systemUsers/tables.ts'
import { websites as websitesTable } from '../../../hosting/websites/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { phpVersionsOf } from '../../../machines/servers/php.ts'
import { serverStates } from '../../../machines/servers/tables.ts'
import { type DrawnAgain, drawAgain } from './again.ts'
import { type DrawnDatabase, drawDatabases } from './databases.ts'
import { type DrawnFtp, drawFtp } from './ftp.ts'
import { type DrawnMail, drawMail } from './mail.ts'
import type { Target } from './target.ts'
import { type DrawnWebsite, drawWebsites } from './websites.ts'
import { counted } from './words.ts'
import { type DrawnZone, drawZones } from './zones.ts'

/** What people choose, and what the import has. */
export interface Asked {
  importId: number
  serverId: number
  inventory: Inventory
  ownerId?: number | undefined
  planId?: number | undefined
  leaveOut?: readonly string[] | undefined
  /** Keys of databases of an earlier import that people replace. */
  replace?: readonly string[] | undefined
}

/** What the import makes. Lines say the same in words. */
export interface Drawn {
  lines: PlanLine[]
  problems: Problems
  username: string | undefined
  websites: DrawnWebsite[]
  databases: DrawnDatabase[]
  mail: DrawnMail[]
  zones: DrawnZone[]
  ftp: DrawnFtp[]
  cron: boolean
  again: DrawnAgain
}

/** Draws the plan of an import. Writes nothing. */
export async function draw(db: Db, asked: Asked): Promise<Drawn> {
  const { importId, serverId, ownerId, planId, leaveOut = [], replace = [] } = asked
  const problems: Problems = {}
  const server = await findServer(db, serverId, problems)
  if (problems.originServer) problems.serverId = problems.originServer
  delete problems.originServer
  await findOwner(db, ownerId, problems)
  const [plan] =
    planId === undefined
      ? []
      : await db
          .select()
          .from(plans)
          .where(and(eq(plans.id, planId), isNull(plans.deletedAt)))
  if (planId !== undefined && !plan) problems.plan = `No plan ${planId}`
  const left = new Set(leaveOut)
  const target: Target = {
    server: {
      id: serverId,
      name: server?.name ?? 'the server',
      address: server?.address ?? null,
      webServer: server?.webServer ?? 'nginx',
    },
    ...{ ownerId, plan, phpVersions: await phpOf(db, serverId, plan), mail: await hasMail(db, serverId) },
  }
  const before = { importId, serverId, ownerId, left, replace: new Set(replace) }
  const { again, lines: repeated, rest: inventory } = await drawAgain(db, { ...before, inventory: asked.inventory })
  const over = await overDiskOf(db, again.websites)
  if (over) problems.leaveOut = `${over}: give its websites a larger plan, or leave them out`
  const websites = await drawWebsites(db, inventory, target, left)
  const databases = await drawDatabases(db, inventory, target, websites.made, left)
  const mail = await drawMail(db, inventory, target, websites.made, left)
  const zones = await drawZones(db, inventory, target, left)
  const ftp = drawFtp(inventory, websites.made, left)
  const cron = drawCron(inventory, websites.made.length > 0, left)
  if (plan)
    refuseSmall(problems, plan, inventory, {
      websites: websites.made,
      databases: databases.made,
      mail: mail.made,
      ftp: ftp.made,
    })
  const isAgain = again.websites.length + again.mail.length + again.databases.length > 0
  if (isAgain && (websites.made.length || mail.made.length || databases.made.length))
    problems.leaveOut ??=
      'New websites, databases and mail come in a run of their own: leave them out, or leave out what was imported before'
  const lines = [websites, databases, mail, zones, ftp, cron].flatMap((one) => one.lines)
  return {
    lines: [...repeated, ...lines, ...others(inventory)].map(whole),
    again,
    problems,
    username: websites.made.length ? await freeName(db, serverId, inventory.account.name) : undefined,
    ...{ websites: websites.made, databases: databases.made, mail: mail.made, zones: zones.made, ftp: ftp.made },
    cron: cron.made,
  }
}

/** Why the account of websites that were imported before takes no more files, by its last report. */
async function overDiskOf(db: Db, again: DrawnAgain['websites']): Promise<string | undefined> {
  if (!again.length) return undefined
  const found = await db
    .selectDistinct({ id: websitesTable.systemUserId })
    .from(websitesTable)
    .where(
      inArray(
        websitesTable.id,
        again.map(({ id }) => id),
      ),
    )
  for (const { id } of found) {
    const over = id === null ? undefined : await overDisk(db, id)
    if (over) return over
  }
  return undefined
}

/** Texts of an archive are cut for people, perhaps in the middle of a sign, which no jsonb column takes. */
const whole = (line: PlanLine): PlanLine => ({
  ...{ ...line, key: line.key.toWellFormed(), name: line.name.toWellFormed(), detail: line.detail.toWellFormed() },
  notes: line.notes.map((one) => one.toWellFormed()),
})

/** Versions that the server runs and the plan allows. */
async function phpOf(db: Db, serverId: number, plan: Target['plan']): Promise<string[]> {
  const [state] = await db
    .select({ services: serverStates.services })
    .from(serverStates)
    .where(eq(serverStates.serverId, serverId))
  const there = phpVersionsOf({ services: state?.services ?? [] })
  const allowed = plan?.phpVersions ?? there
  return there.length ? allowed.filter((one) => there.includes(one)) : allowed
}

async function hasMail(db: Db, serverId: number): Promise<boolean> {
  const [found] = await rows<{ able: boolean }>(
    db,
    sql`select 'dovecot' = any(t.services) as able from servers s join server_types t on t.name = s.type where s.server_id = ${serverId}`,
  )
  return found?.able ?? false
}

/** The name of the account in the archive, or that name with a number. */
async function freeName(db: Db, serverId: number, wanted: string): Promise<string> {
  const plain =
    wanted
      .toLowerCase()
      .replace(/[^a-z0-9_]/g, '')
      .replace(/^[^a-z]+/, '')
      .slice(0, 24) || 'imported'
  // a name such as www-data stays reserved with any number behind it
  const stem = isReserved(`${plain}2`) ? `u_${plain}` : plain
  const found = await db
    .select({ username: systemUsers.username })
    .from(systemUsers)
    .where(
      and(
        eq(systemUsers.serverId, serverId),
        isNull(systemUsers.deletedAt),
        sql`${systemUsers.username} like ${`${stem}%`}`,
      ),
    )
  const taken = new Set(found.map(({ username }) => username))
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}${n}`
    if (!taken.has(name) && !isReserved(name)) return name
  }
}

interface Counted {
  websites: readonly DrawnWebsite[]
  databases: readonly DrawnDatabase[]
  mail: readonly DrawnMail[]
  ftp: readonly DrawnFtp[]
}
/** A plan that is too small refuses the import: people choose another plan, or leave lines out. */
function refuseSmall(
  problems: Problems,
  plan: typeof plans.$inferSelect,
  inventory: Inventory,
  { websites, databases, mail, ftp }: Counted,
) {
  const bytes = inventory.websites
    .filter((one) => websites.some(({ from }) => from === one.domain))
    .reduce((all, one) => all + (one.disk ?? one.bytes), 0)
  const counts: [string, number, number][] = [
    ['websites', websites.length, plan.websites],
    ['databases', databases.length, plan.databases],
    [
      'mailboxes',
      mail.filter(({ website }) => website !== undefined).reduce((all, one) => all + one.mailboxes.length, 0),
      plan.mailboxes,
    ],
    ['FTP users', ftp.length, plan.ftpUsers],
    ['MB of files', Math.ceil(bytes / 1_048_576), plan.diskMb],
  ]
  const small = counts.filter(([, wanted, most]) => wanted > most)
  if (small.length)
    problems.plan ??= `The plan ${plan.name} is too small: ${small.map(([what, wanted, most]) => `${wanted} ${what}, and it allows ${most}`).join('; ')}`
}

function drawCron(
  inventory: Inventory,
  hasAccount: boolean,
  left: ReadonlySet<string>,
): { made: boolean; lines: PlanLine[] } {
  const { cron, account } = inventory
  if (!cron.length) return { made: false, lines: [] }
  const chosen = !left.has('cron:jobs')
  const made = hasAccount && chosen
  const suspended = cron.filter((job) => job.suspended || account.suspended).length
  const notes = made
    ? [
        'Paths of the former folders become those of the new ones',
        ...(suspended
          ? [`${counted(suspended, 'suspended job')} ${suspended === 1 ? 'comes as a comment' : 'come as comments'}`]
          : []),
        ...cron.slice(0, 50).map(({ when, command }) => `${when} ${command}`.slice(0, 200)),
      ]
    : [chosen ? 'No website of the archive is carried, so there is no account for the jobs' : 'You leave it out']
  return {
    made,
    lines: [
      {
        ...{ key: 'cron:jobs', kind: 'cron', name: 'Cron jobs', notes, choice: hasAccount },
        verdict: made ? 'changed' : 'left out',
        detail: counted(cron.length, 'job'),
      },
    ],
  }
}

/** What the archive has and nothing here takes. */
const others = (inventory: Inventory): PlanLine[] => [
  ...inventory.others.map(({ what, count, why }, i) => ({
    ...{ key: `other:${i}`, kind: 'other' as const, name: what, verdict: 'left out' as const },
    ...{ detail: `${count}`, notes: [why], choice: false },
  })),
  ...Object.entries(inventory.refused).map(([why, count]) => ({
    ...{ key: `refused:${why}`, kind: 'other' as const, name: `Members: ${why}`, verdict: 'left out' as const },
    ...{ detail: `${count}`, notes: ['Refused wherever they lie in the archive'], choice: false },
  })),
]
