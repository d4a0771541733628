import type { PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import { domain as domainSchema, username as usernameSchema } from '@innkeeper/contract/kit/values'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { statement } from '../../../kit/db/driver/prepared.ts'
import { phpVersionsOf } from '../../../machines/servers/php.ts'
import { serverStates, type servers } from '../../../machines/servers/tables.ts'
import type { owners } from '../../owners/tables.ts'
import { plans } from '../../plans/tables.ts'
import { findOwner, findServer, isReserved, type Problems } from '../../systemUsers/place.ts'
import { systemUsers } from '../../systemUsers/tables.ts'
import { groups } from '../tables.ts'
import { addTaken, type Checked } from './problems.ts'
import { takenName } from './takenName.ts'

export interface Requested {
  originServer?: number | undefined
  domain?: string | undefined
  userId?: number | undefined
  plan?: number | string | undefined
  groupId?: number | undefined
  systemUser?: string | undefined
  phpVersion?: string | undefined
  extensionsOn?: PhpParameters['extensionsOn']
  extensionsOff?: PhpParameters['extensionsOff']
}
type Row<T extends { $inferSelect: unknown }> = T['$inferSelect']

/** Result of checking the input for a new website: the rows that it refers to, and problems by field. */
export interface Choice extends Checked {
  server?: Row<typeof servers>
  owner?: Row<typeof owners>
  plan?: Row<typeof plans>
  domain?: string
  username?: string
  /** The account to reuse: of the owner, on this server and plan, with room for the website. */
  account?: Row<typeof systemUsers>
  phpVersion?: string
  /** PHP parameters of the website alone; missing if it uses the extensions of its server. */
  php?: PhpParameters
  documentRoot?: string
}

/** Checks the input without writing. The form passes incomplete input, a creation complete input. */
export async function choose(db: Db, requested: Requested): Promise<Choice> {
  const checked: Checked = { problems: {} }
  const { problems } = checked
  const [server, owner, plan, domain] = await Promise.all([
    findServer(db, requested.originServer, problems),
    findOwner(db, requested.userId, problems),
    findPlan(db, requested.plan, problems),
    freeDomain(db, requested.domain, requested.userId, checked),
    findGroup(db, requested, problems),
  ])

  const phpVersion = requested.phpVersion ?? plan?.phpVersions[0]
  const itsAccount = async () =>
    server && owner && plan && accountOf(db, server.id, owner.id, plan, requested.systemUser)
  const [known, there = []] = await Promise.all([
    itsAccount(),
    server && phpVersion ? phpThere(db, server.id) : undefined,
  ])
  const free =
    !known && server && (domain || requested.systemUser)
      ? await freeUsername(db, server.id, domain, requested.systemUser, problems)
      : undefined
  // another website of the owner may have made the account between both questions
  const account = known ?? (problems.systemUser === undefined ? undefined : await itsAccount())
  if (account) delete problems.systemUser
  const username = account?.username ?? free

  if (plan && phpVersion && !plan.phpVersions.includes(phpVersion))
    problems.phpVersion = `The plan ${plan.name} has PHP ${plan.phpVersions.join(', ')}`
  if (server && phpVersion && there.length && !there.includes(phpVersion))
    problems.phpVersion ??= `${server.name} has PHP ${there.join(', ')}: install ${phpVersion} there first`
  const php = chosenExtensions(requested, problems)
  const documentRoot = username && domain ? `/home/${username}/${domain}/public` : undefined
  return { ...checked, server, owner, plan, domain, account, username, phpVersion, documentRoot, ...php }
}

/** The chosen extensions as PHP parameters. An extension cannot be switched on and off. */
function chosenExtensions({ extensionsOn = [], extensionsOff = [] }: Requested, problems: Problems) {
  const both = extensionsOn.filter((name) => extensionsOff.includes(name))
  if (both.length) problems.extensionsOn = `${both.join(', ')} cannot be on and off`
  const php: PhpParameters = {
    ...(extensionsOn.length && { extensionsOn }),
    ...(extensionsOff.length && { extensionsOff }),
  }
  return Object.keys(php).length ? { php } : {}
}

const statesByIds = byIds((db, isWanted) =>
  db.select({ services: serverStates.services }).from(serverStates).where(isWanted(serverStates.serverId)),
)

/** PHP versions that the server's agent reported; empty before the first report. */
async function phpThere(db: Db, serverId: number): Promise<string[]> {
  const [state] = await statesByIds(db, [serverId])
  return phpVersionsOf({ services: state?.services ?? [] })
}

/** Checks that the group exists and belongs to the website's owner. */
async function findGroup(db: Db, { groupId, userId }: Requested, problems: Problems): Promise<void> {
  if (groupId === undefined) return
  const [group] = await db
    .select({ ownerId: groups.ownerId })
    .from(groups)
    .where(and(eq(groups.id, groupId), isNull(groups.deletedAt)))
  if (!group) problems.groupId = `No website group ${groupId}`
  else if (userId !== undefined && group.ownerId !== userId) problems.groupId = 'That group is of another owner'
}

const plansByIds = byIds((db, isWanted) =>
  db
    .select()
    .from(plans)
    .where(and(isWanted(plans.id), isNull(plans.deletedAt))),
)
const plansByName = statement((db) =>
  db
    .select()
    .from(plans)
    .where(and(eq(sql`lower(${plans.name})`, sql.placeholder('name')), isNull(plans.deletedAt)))
    .prepare('plans_by_name'),
)

async function findPlan(db: Db, wanted: number | string | undefined, problems: Problems) {
  if (wanted === undefined) return undefined
  const [plan] =
    typeof wanted === 'number'
      ? await plansByIds(db, [wanted])
      : await plansByName(db).execute({ name: wanted.toLowerCase() })
  if (!plan) problems.plan = `No plan ${wanted}`
  return plan
}

/** Maximum length of a folder name that the agent accepts, see sitePath. */
const FOLDER = 128

export async function freeDomain(
  db: Db,
  wanted: string | undefined,
  ownerId: number | undefined,
  checked: Checked,
): Promise<string | undefined> {
  if (!wanted) return undefined
  const read = domainSchema.safeParse(wanted)
  if (!read.success) {
    checked.problems.domain = read.error.issues[0]?.message ?? 'Not a domain name'
    return undefined
  }
  const taken = await takenName(db, read.data, { ownerId })
  if (taken) addTaken(checked, 'domain', taken)
  else if (read.data.length > FOLDER)
    checked.problems.domain = `At most ${FOLDER} characters: it names a folder on the server`
  return read.data
}

const accountsWithRoom = statement((db) =>
  db
    .select()
    .from(systemUsers)
    .where(
      and(
        eq(systemUsers.serverId, sql.placeholder('serverId')),
        eq(systemUsers.ownerId, sql.placeholder('ownerId')),
        eq(systemUsers.planId, sql.placeholder('planId')),
        isNull(systemUsers.deletedAt),
        sql`(select count(*) from websites w where w.system_user_id = ${systemUsers.id} and w.deleted_at is null
          and w.kind <> 'alias') <= ${sql.placeholder('most')}`,
        // the account of a staging copy does not send its mail
        sql`not exists (select from websites w where w.system_user_id = ${systemUsers.id} and w.deleted_at is null
          and w.kind = 'staging')`,
      ),
    )
    .orderBy(systemUsers.id)
    .prepare('accounts_with_room'),
)

/** Accounts of the owner on this server and plan with room for `more` websites. */
export const accountsOf = (
  db: Db,
  serverId: number,
  ownerId: number,
  plan: Row<typeof plans>,
  more = 1,
): Promise<Row<typeof systemUsers>[]> =>
  accountsWithRoom(db).execute({ serverId, ownerId, planId: plan.id, most: plan.websites - more })

/** The first of these accounts; if `asked` is set, the one of that name. */
async function accountOf(
  db: Db,
  serverId: number,
  ownerId: number,
  plan: Row<typeof plans>,
  asked: string | undefined,
) {
  const found = await accountsOf(db, serverId, ownerId, plan)
  return asked ? found.find((account) => account.username === asked) : found[0]
}

/** A free user name on the server: `asked` if it is free, or a name derived from the domain if `asked` is empty. */
export async function freeUsername(
  db: Db,
  serverId: number,
  domain: string | undefined,
  asked: string | undefined,
  problems: Problems,
): Promise<string | undefined> {
  const taken = new Set(
    (
      await rows<{ username: string }>(
        db,
        sql`select username from system_users where server_id = ${serverId} and deleted_at is null
          and username like ${`${asked ?? stem(domain)}%`}`,
      )
    ).map((row) => row.username),
  )
  if (asked) {
    const read = usernameSchema.safeParse(asked)
    if (!read.success) problems.systemUser = read.error.issues[0]?.message ?? 'Not an account name'
    else if (isReserved(asked)) problems.systemUser = `${asked} belongs to the system`
    else if (taken.has(asked)) problems.systemUser = `${asked} belongs to another owner, has another plan, or is full`
    return problems.systemUser ? undefined : asked
  }
  const first = stem(domain)
  for (let n = 1; n < 10_000; n++) {
    const name = n === 1 ? first : `${first}${n}`
    if (!taken.has(name) && !isReserved(name)) return name
  }
  return undefined
}

/** `nordlys-kaffe.no` → `nordlyskaffe`. */
function stem(domain = ''): string {
  const letters = (domain.split('.')[0] ?? '').replace(/^xn--/, '').replace(/[^a-z0-9]/g, '')
  return (/^[a-z]/.test(letters) ? letters : `w${letters}`).slice(0, 24)
}
