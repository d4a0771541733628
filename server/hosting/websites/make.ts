import type { PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import { missing } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import { writing } from '../../kit/db/driver/prepared.ts'
import type { Context } from '../../kit/http/api.ts'
import { conflict, denied, refused } from '../../kit/http/errors.ts'
import { holdAccount } from '../systemUsers/hold.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { choose, type Requested } from './placement/placement.ts'
import { refusalOf } from './placement/problems.ts'
import { readSite } from './site.ts'
import type { Site } from './siteSteps.ts'
import { originVhosts, websites } from './tables.ts'

interface Wanted extends Requested {
  websiteEnvironment?: 'production' | 'staging' | 'development' | undefined
  /** PHP parameters of another website, which the new one has too. */
  phpParameters?: PhpParameters | undefined
  /** Where the website lies already. Its server may serve others besides, and needs no provisioning for it. */
  documentRoot?: string | undefined
}

const insertWebsite = writing((db) =>
  db
    .insert(websites)
    .values({
      domain: sql.placeholder('domain'),
      environment: sql.placeholder('environment'),
      status: 'creating',
      ownerId: sql.placeholder('ownerId'),
      serverId: sql.placeholder('serverId'),
      planId: sql.placeholder('planId'),
      systemUserId: sql.placeholder('systemUserId'),
      documentRoot: sql.placeholder('documentRoot'),
      phpVersion: sql.placeholder('phpVersion'),
      createdBy: sql.placeholder('createdBy'),
    })
    .returning({ id: websites.id })
    .prepare('insert_website'),
)

/** Checks the input and inserts the rows of a new website, with its account if the owner has none with room. */
export async function makeWebsite({ db, staff }: Pick<Context, 'db' | 'staff'>, input: Wanted): Promise<Site> {
  const choice = await choose(db, input)
  if (input.documentRoot && choice.server?.enrolledAt && ['web', 'all-in-one'].includes(choice.server.type))
    delete choice.problems.originServer
  const { server, owner, plan, domain, username, phpVersion } = choice
  const documentRoot = input.documentRoot ?? choice.documentRoot
  if (Object.keys(choice.problems).length) throw refusalOf(choice)
  if (!server || !owner || !plan || !domain || !username || !phpVersion || !documentRoot)
    throw refused('The input is incomplete') // choose() sets every field if the input is complete and has no problems
  // somebody else may have taken the last place since choose() looked
  if (choice.account && (await holdAccount(db, choice.account.id)) >= plan.websites)
    throw conflict(`The account ${username} has just become full: try again`)
  const systemUserId =
    choice.account?.id ??
    (
      await db
        .insert(systemUsers)
        .values({
          username,
          serverId: server.id,
          ownerId: owner.id,
          planId: plan.id,
          homeDir: `/home/${username}`,
          shell: '/usr/sbin/nologin',
          createdBy: staff.id,
        })
        .returning({ id: systemUsers.id })
    )[0]!.id
  if (choice.php && missing(staff, 'vhost:origin:php').length) throw denied(['vhost:origin:php'])
  const [made] = await insertWebsite(db).execute({
    domain,
    environment: input.websiteEnvironment ?? 'production',
    ownerId: owner.id,
    serverId: server.id,
    planId: plan.id,
    systemUserId,
    documentRoot,
    phpVersion,
    createdBy: staff.id,
  })
  const php = choice.php ?? input.phpParameters
  if (php) await db.insert(originVhosts).values({ websiteId: made!.id, phpParameters: php, createdBy: staff.id })
  return readSite(db, made!.id)
}
