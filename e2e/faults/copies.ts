import { readFileSync, writeFileSync } from 'node:fs'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { visit } from '../sites.ts'
import type { Calls } from './check.ts'
import { checkWebsite } from './check.ts'
import type { Kind, Subject } from './kinds.ts'
import { alone, idOf, siteOf } from './own.ts'
import { calmly, readWebsite } from './workflows.ts'
import type { World } from './world.ts'

const its = (subject: Subject) => siteOf(subject).name
const copyOf = (subject: Subject) => `staging-1.${its(subject)}`
/** The index page of a website on the host's disk. */
const pageOf = ({ server }: Subject, { username, domain }: Pick<Website, 'username' | 'domain'>) =>
  `${server.host.root}/home/${username}/${domain}/public/index.php`

async function find(world: World, name: string): Promise<Website> {
  const website = await readWebsite(world, name)
  if (!website) throw new Error(`${name} does not exist`)
  return website
}

const stage = async (world: World, subject: Subject) =>
  (await world.api.must('POST', `/websites/${await idOf(world, its(subject))}/staging`, {})).workflowId
/**
 * Merges the whole copy, or in every other round only its index page. Reads and confirms the live changes, like people
 * do.
 */
async function merge(world: World, subject: Subject): Promise<number> {
  const websiteId = await idOf(world, copyOf(subject))
  const parts = its(subject).length % 2 ? { paths: ['public/index.php'] } : {}
  const { digest } = await world.api.must('POST', `/stagings/${websiteId}/changes`, parts)
  return (await world.api.must('POST', '/stagings', { websiteId, ...parts, seen: digest })).workflowId
}
async function revert(world: World, subject: Subject) {
  const { merges } = await world.api.must('GET', `/websites/${await idOf(world, its(subject))}/stagings`)
  return (await world.api.must('POST', `/stagings/merges/${merges[0].id}/revert`, {})).workflowId
}

/** Before the fault: the copy exists and its page says that it was changed. */
const changed =
  (...steps: string[]) =>
  async (world: World, subject: Subject, calls: Calls): Promise<void> => {
    await alone('website.stage')(world, subject, calls)
    const page = pageOf(subject, await find(world, copyOf(subject)))
    // written in place, so that the owner stays
    writeFileSync(page, `${readFileSync(page, 'utf8')}\n<p>changed in the copy</p>\n`)
    for (const step of steps) await calmly(world, step, subject, calls)
  }

/** The copy answers on the live website's server, or nothing of it exists. */
async function checkCopy(world: World, subject: Subject, there: boolean): Promise<string[]> {
  const copy = await readWebsite(world, copyOf(subject))
  const { status } = await visit(subject.server.host.address, copyOf(subject))
  const state = [copy?.status === 'active', status === 200].join()
  const bad =
    state === [there, there].join() ? [] : [`${copyOf(subject)}: active in Innkeeper, answers 200 is ${state}`]
  return [...bad, ...(await checkLive(world, subject, false))]
}

/** The live website exists, either with the change of its copy or without. */
async function checkLive(world: World, subject: Subject, merged: boolean): Promise<string[]> {
  const live = await find(world, its(subject))
  const bad = await checkWebsite(live, subject.server, 'active')
  const has = readFileSync(pageOf(subject, live), 'utf8').includes('changed in the copy')
  if (has !== merged) bad.push(`${its(subject)} ${has ? 'has' : 'lacks'} the change of its copy`)
  return bad
}

const kind = (ask: Kind['ask'], more: Pick<Kind, 'prepare' | 'check' | 'named'>): Kind => ({
  weight: 1,
  undoable: true,
  ask,
  ...more,
})

/** Workflows on staging copies. */
export const copies: Record<string, Kind> = {
  'website.stage': kind(stage, { named: copyOf, prepare: alone(), check: checkCopy }),
  'website.merge': kind(merge, { named: its, prepare: changed(), check: checkLive }),
  'website.revert': kind(revert, {
    named: its,
    prepare: changed('website.merge'),
    check: (world, subject, done) => checkLive(world, subject, !done),
  }),
}
