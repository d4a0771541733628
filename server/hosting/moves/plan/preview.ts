import type { moves as contract } from '@innkeeper/contract/hosting/moves/calls'
import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import type { Output } from '@innkeeper/contract/kit/endpoint'
import { eq } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { inParallel } from '../../../kit/app/inParallel.ts'
import type { Db } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { readGroup } from '../../groups/view.ts'
import { plans } from '../../plans/tables.ts'
import { accountsOf } from '../../websites/placement/placement.ts'
import { readWebsite } from '../../websites/view.ts'
import { familyOf } from '../family.ts'
import { roomForAll } from './inspection.ts'
import { plannedOf } from './planned.ts'
import { domainsOf, examine } from './preflight.ts'
import { countOf } from './targetAccount.ts'

/** Websites of a group that are examined in parallel: an agent runs few reads at a time. */
const AT_ONCE = 4
type Looked = Output<typeof contract.preflight, 'in'>
type Member = Looked['members'][number]
interface Wanted {
  targetServerId: number
  targetAccountId?: number | undefined
  group?: boolean | undefined
  withCopies?: boolean | undefined
}

/**
 * Findings for the move of a website, or of its group's websites on the same server. A member that cannot be examined
 * gets the reason as a blocker; the others are still examined.
 */
export async function lookAhead(
  app: App,
  id: number,
  { targetServerId, targetAccountId, group = false, withCopies }: Wanted,
): Promise<Looked> {
  const website = await readWebsite(app.db, id)
  const all =
    group && website.groupId !== null
      ? (await readGroup(app.db, website.groupId)).items.filter(({ serverId }) => serverId === website.serverId)
      : [website]
  let actions: Looked['actions'] = []
  const examined: Parameters<typeof roomForAll>[0][number][] = []
  const members = await inParallel(all, AT_ONCE, async ({ id: websiteId, domain }): Promise<Member> => {
    try {
      const seen = await examine(app, websiteId, targetServerId, {
        into: { account: targetAccountId },
        withCopies,
      })
      examined.push(seen)
      // the actions of the first member are shown for all: each member runs the same ones
      if (websiteId === all[0]?.id) actions = await plannedOf(app.db, seen)
      return { websiteId, domain, findings: seen.findings, ...seen.sizes }
    } catch (error) {
      if (all.length === 1 || !(error instanceof Refusal)) throw error
      const finding: Finding = { key: 'look', title: 'Look', level: 'blocker', text: error.message }
      return { websiteId, domain, findings: [finding], bytes: null, files: null }
    }
  })
  const sum = (key: 'bytes' | 'files') =>
    members.reduce<number | null>((total, one) => (total === null || one[key] === null ? null : total + one[key]), 0)
  const accounts = group ? [] : await choicesOf(app.db, id, targetServerId)
  const together = examined.length === all.length ? roomForAll(examined) : undefined
  const findings = [...members.flatMap(titled), ...(together ? [together] : [])]
  return { members, findings, actions, accounts, bytes: sum('bytes'), files: sum('files') }
}

/** Accounts of the owner on the target server that have room for the website. */
async function choicesOf(db: Db, id: number, serverId: number): Promise<Looked['accounts']> {
  const { family } = await familyOf(db, id)
  const [main] = family
  const [plan] = main ? await db.select().from(plans).where(eq(plans.id, main.planId)) : []
  if (!main || !plan) return []
  const found = await accountsOf(db, serverId, main.ownerId, plan, countOf(family))
  return Promise.all(found.map(async ({ id, username }) => ({ id, username, domains: await domainsOf(db, id) })))
}

/** Findings of a member; with several members, the title starts with the domain. */
const titled = ({ domain, findings }: Member, _: number, { length }: Member[]): Finding[] =>
  length > 1 ? findings.map((one) => ({ ...one, title: `${domain}: ${one.title}` })) : findings
