import { missing } from '@innkeeper/contract/kit/access'
import type { Application } from '@innkeeper/contract/net/originVhosts/applications'
import { eq } from 'drizzle-orm'
import { makeAliases } from '../../../hosting/websites/aliasRows.ts'
import { makeWebsite } from '../../../hosting/websites/make.ts'
import { wwwOf } from '../../../hosting/websites/names.ts'
import { takenName } from '../../../hosting/websites/placement/takenName.ts'
import { readSite, withNames } from '../../../hosting/websites/site.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, denied, refused } from '../../../kit/http/errors.ts'

interface Wanted {
  serverId: number
  userId: number
  plan: number
  username: string
  website: string
  root: string
  phpVersion: string
  serves: string[]
  redirects: string[]
  application: Application
}

/** The rows of a website that is taken over where it lies, with its names. */
export async function makePlace(context: Context, wanted: Wanted): Promise<{ site: Site; aliases: number[] }> {
  const { db, staff } = context
  const lacks = (['website:website:create', 'system-user:user:create'] as const).flatMap((one) => missing(staff, one))
  if (lacks.length) throw denied(lacks)
  if (!wanted.root.startsWith(`/home/${wanted.username}/`))
    throw refused(`${wanted.root} is not below the home of ${wanted.username}`, {
      root: 'Is not in the home of the account',
    })
  const domain = wanted.website.toLowerCase()
  const names = [
    ...wanted.serves
      .filter((name) => !wwwOf(domain).includes(name))
      .map((name) => ({ domain: name, mode: 'serve' as const })),
    ...wanted.redirects.map((name) => ({ domain: name, mode: 'redirect' as const })),
  ]
  for (const one of names) {
    const taken = await takenName(db, one.domain, { ownerId: wanted.userId })
    if (taken) throw conflict(`${one.domain}: ${taken}`, { fields: { website: taken } })
  }
  const { id } = await makeWebsite(context, {
    ...{ originServer: wanted.serverId, domain, userId: wanted.userId, plan: wanted.plan },
    ...{ systemUser: wanted.username, phpVersion: wanted.phpVersion, documentRoot: wanted.root },
  })
  await db.update(websites).set({ foundApplication: wanted.application }).where(eq(websites.id, id))
  const aliases = await makeAliases(db, id, names, staff.id)
  return { site: await withNames(db, await readSite(db, id), { add: names }), aliases }
}
