import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { ssl as contract } from '@innkeeper/contract/net/ssl/calls'
import { sql } from 'drizzle-orm'
import { readSite } from '../../../hosting/websites/site.ts'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { lookAtAcme } from '../acme/account.ts'
import { AcmeAway, AcmeProblem } from '../acme/problem.ts'
import { readNames, wantedNames } from '../certificates/names.ts'
import { limitsFor } from './budget.ts'
import { groundsOf, lookAtNames } from './preflight.ts'

/** Checks each name of an order as the authority would, without ordering. */
export async function preflight(
  app: App,
  { websiteId, subDomains = [], vhostAliases = true }: Input<typeof contract.preflight, 'out'>,
): Promise<Output<typeof contract.preflight, 'in'>> {
  const { db, settings } = app
  const site = await readSite(db, websiteId)
  const { names: extraNames, problem } = readNames(subDomains, site.domain)
  if (problem) throw refused(problem, { subDomains: problem })
  const { required, others } = wantedNames(site, { extraNames, vhostAliases })
  const names = [...required, ...others]
  const { identities, authority } = await lookAtAuthority(app)
  const isSetUp = await answersChallenges(app, site.server.id)
  const items = await lookAtNames(
    await groundsOf(app, { serverId: site.server.id, websiteId }, identities, isSetUp),
    names,
  )
  return { items, limits: await limitsFor(db, settings.acme, names), directory: settings.acme, authority }
}

async function lookAtAuthority(app: App): Promise<{ identities: readonly string[]; authority: string | null }> {
  try {
    const { meta } = await (await lookAtAcme(app)).directory()
    return { identities: meta?.caaIdentities ?? [], authority: null }
  } catch (error) {
    if (error instanceof AcmeAway || error instanceof AcmeProblem) return { identities: [], authority: error.message }
    throw error
  }
}

/** Whether the web server of this server was configured to answer challenges. */
async function answersChallenges({ db }: App, serverId: number): Promise<boolean> {
  const [done] = await rows(
    db,
    sql`select 1 from actions where server_id = ${serverId} and name = 'acme-answer.ensure' and status = 'done' limit 1`,
  )
  return done !== undefined
}
