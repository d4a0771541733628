import { missing } from '@innkeeper/contract/access'
import type { PhpParameters } from '@innkeeper/contract/phpParameters'
import type { Context } from '../kit/http/api.ts'
import { denied, refused } from '../kit/http/errors.ts'
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
}

/** Checks the input and inserts the rows of a new website, with its account if the owner has none with room. */
export async function makeWebsite({ db, staff }: Pick<Context, 'db' | 'staff'>, input: Wanted): Promise<Site> {
  const choice = await choose(db, input)
  const { server, owner, plan, domain, username, phpVersion, documentRoot } = choice
  if (Object.keys(choice.problems).length) throw refusalOf(choice)
  if (!server || !owner || !plan || !domain || !username || !phpVersion || !documentRoot)
    throw refused('The input is incomplete') // choose() sets every field if the input is complete and has no problems
  if (choice.account) await holdAccount(db, choice.account.id)
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
  const [made] = await db
    .insert(websites)
    .values({
      domain,
      environment: input.websiteEnvironment ?? 'production',
      status: 'creating',
      ownerId: owner.id,
      serverId: server.id,
      planId: plan.id,
      systemUserId,
      documentRoot,
      phpVersion,
      createdBy: staff.id,
    })
    .returning({ id: websites.id })
  const php = choice.php ?? input.phpParameters
  if (php) await db.insert(originVhosts).values({ websiteId: made!.id, phpParameters: php, createdBy: staff.id })
  return readSite(db, made!.id)
}
