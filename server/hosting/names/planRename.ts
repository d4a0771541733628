import type { names as contract } from '@innkeeper/contract/hosting/names/calls'
import type { Renaming } from '@innkeeper/contract/hosting/names/shapes'
import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { Db } from '../../kit/db/db.ts'
import { Refusal } from '../../kit/http/errors.ts'
import { chooseDatabases } from '../databases/replacements/choose.ts'
import { replacing } from '../databases/replacements/steps.ts'
import { allParts, artefactsOf } from '../websites/parts/parts.ts'
import { readWebsite } from '../websites/view.ts'
import { choose, howNamed, settled, type Wanted } from './rename.ts'
import { renameSteps } from './renameSteps.ts'

/** Preview of a rename: all changes, before and after, and the actions. */
export async function planRename(
  db: Db,
  id: number,
  wanted: Wanted,
): Promise<Output<typeof contract.planRename, 'in'>> {
  const website = await readWebsite(db, id)
  const { problems, newDomain, relatives = [], chosen = [], network } = await choose(db, website, wanted)
  if (!newDomain || problems.newDomain) return { problems, actions: [], changes: [], relatives, network: null }
  const names = { from: website.domain, to: newDomain, how: howNamed(network) }
  // a preview shows why the databases cannot change, instead of failing
  const databases = wanted.databases || network ? await chooseDatabases(db, id, names).catch(asProblem) : []
  if (typeof databases === 'string') problems.databases = databases
  const texts = typeof databases === 'string' ? [] : replacing(0, names, databases)
  const plan = await renameSteps(db, { website, newDomain, chosen, ...settled(wanted), texts })
  return {
    problems,
    relatives,
    network: network ? { also: chosen.map(({ id: own }) => own) } : null,
    actions: plan.steps.map(({ name, title, what, serverId, optional }) => ({
      name,
      title,
      what,
      serverName: serverId === null ? null : website.serverName,
      optional,
    })),
    changes: [...plan.changes, ...(await unchanged(db, id, plan.changes))],
  }
}

/** Resources that keep their names, listed to make the preview complete. */
async function unchanged(db: Db, id: number, changes: Renaming[]): Promise<Renaming[]> {
  const touched = new Set(changes.map(({ before }) => before))
  return (await artefactsOf(db, [id]))
    .filter(({ name }) => !touched.has(name))
    .map(({ type, where, name, detail }) => ({
      title: titleOf(type),
      where,
      before: detail ? `${name} (${detail})` : name,
      after: null,
    }))
}

const titleOf = (type: string) => allParts().find(({ kind }) => kind === type)?.title ?? type

function asProblem(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}
