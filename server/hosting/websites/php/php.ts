import type { websites as contract } from '@innkeeper/contract/hosting/websites'
import { eq, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { describe, onEnd } from '../../../kit/work/workflow.ts'
import { readServer } from '../../../machines/servers/view.ts'
import { plans } from '../../plans/tables.ts'
import { holdAccount } from '../../systemUsers/hold.ts'
import { opensAgain } from '../closed.ts'
import { readSite } from '../site.ts'
import { begin } from '../startWorkflow.ts'
import { phpMove } from '../steps.ts'
import { websites } from '../tables.ts'
import { readWebsite } from '../view.ts'

/** Switches a website to another PHP version that its server has and its plan allows. */
export const phpHandlers: Pick<Handlers<typeof contract>, 'php'> = {
  async php({ id, phpVersion, version }, context) {
    const { db, app, audit } = context
    const website = await readWebsite(db, id)
    audit.before({ phpVersion: website.phpVersion })
    audit.after({ phpVersion })
    checkVersion(website, version, website.domain)
    const { domain, status } = website
    const refuse = (why: string) => refused(why, { phpVersion: why })
    if (website.kind === 'alias') throw refuse(`${domain} is a name of ${website.parentDomain}: change that website`)
    if (status !== 'active' && status !== 'suspended')
      throw refused(`${domain} is ${status}: its PHP version cannot be changed`)
    if (website.phpVersion === phpVersion) throw refuse(`${domain} already has PHP ${phpVersion}`)
    const server = await readServer(app, db, website.serverId)
    if (!server.phpVersions.includes(phpVersion))
      throw refuse(`${server.name} has no PHP ${phpVersion}: install it there first`)
    const [plan] = await db.select().from(plans).where(eq(plans.id, website.planId))
    if (plan && !plan.phpVersions.includes(phpVersion))
      throw refuse(`The plan ${plan.name} has PHP ${plan.phpVersions.join(', ')}`)
    const site = await readSite(db, id)
    await holdAccount(db, site.systemUser.id)
    const [others] = await rows<{ some: boolean }>(
      db,
      sql`select exists (select from websites where system_user_id = ${site.systemUser.id} and website_id <> ${id}
        and deleted_at is null and kind <> 'alias' and php_version = ${website.phpVersion}) as some`,
    )
    return begin(context, website, 'website.php', phpMove(site, phpVersion, status, !others?.some))
  },
}

/** Declares the workflows of this file, for domain.ts. */
export function phpWorkflows(): void {
  describe('website.php', { title: 'Change PHP', doing: 'moving to another PHP', letsQueue: true })
  opensAgain('website.php')
  onEnd('website.php', async (tx, { id, subjectId }, outcome) => {
    if (outcome === 'done') {
      const [pool] = await rows<{ phpVersion: string }>(
        tx,
        sql`select input ->> 'phpVersion' as "phpVersion" from actions where workflow_id = ${id} and name = 'php-pool.ensure'`,
      )
      await tx
        .update(websites)
        .set({ ...(pool && { phpVersion: pool.phpVersion }), ...nextVersion })
        .where(eq(websites.id, subjectId))
    }
    await changed(tx, 'websites', subjectId)
  })
}
