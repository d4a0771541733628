import type { Context } from '../kit/http/api.ts'
import { refused } from '../kit/http/errors.ts'
import { holdAccount } from '../systemUsers/hold.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { choose, type Requested } from './placement/placement.ts'
import { refusalOf } from './placement/problems.ts'
import { readSite } from './site.ts'
import type { Site } from './siteSteps.ts'
import { websites } from './tables.ts'

type Wanted = Requested & { websiteEnvironment?: 'production' | 'staging' | 'development' | undefined }

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
  return readSite(db, made!.id)
}
