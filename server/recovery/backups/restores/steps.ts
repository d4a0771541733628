import { databaseLoad } from '../../../hosting/databases/actions.ts'
import { owningNames } from '../../../hosting/databases/replacements/steps.ts'
import { engineOf } from '../../../hosting/databases/steps.ts'
import {
  ask,
  askBefore,
  onSite,
  ownPool,
  pool,
  renewingPhp,
  type Site,
  serve,
} from '../../../hosting/websites/siteSteps.ts'
import { creation } from '../../../hosting/websites/steps.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { dumpFetch, filesKeep, filesPrepare, filesSwap } from '../actions.ts'
import { type BringingMail, noMail } from '../mail/bring.ts'
import { type Access, remoteOf, withProgram } from '../repositories/access.ts'
import type { Loading } from './target.ts'

export interface Taking {
  id: number
  access: Access
  /** The folder that receives the files. */
  place: { username: string; path: string }
  /** Snapshot of the files; absent: no files. */
  files: string | undefined
  /** Size of the files in bytes. */
  bytes: number | undefined
  paths: string[] | undefined
  /** The files belong to another account and need a new owner. */
  foreign: boolean
  loading: Loading[]
  /** Names that the databases of the backup contain and that the website does not have. */
  names?: string[]
  /** Steps that write the present databases and passwords into known configuration files. */
  adapt: PlanStep[]
  /** Steps that restore settings of the backup, once the website is open. */
  settings: PlanStep[]
  mail?: Pick<BringingMail, 'prepare' | 'merge'>
  keepDays: number
}

/** The steps of a restore by phase. Fetched files and databases stay beside the website until the exchange. */
function partsOf(
  site: Site,
  { id, access, place, files, bytes, paths, foreign, loading, names = [], keepDays }: Taking,
) {
  const received = ({ tables, ...one }: Loading) => ({ ...one, serverId: site.server.id, tables: tables ?? null })
  const some = paths && { paths }
  const onFiles = onSite(site, 'restored-website')
  const onDatabase = ({ id: databaseId, name }: Loading) => ({
    server: site.server.id,
    resource: { type: 'restored-database', id: databaseId, name },
  })
  const file = (word: string, one: Loading) => `${word}-${id}-${one.id}.sql.gz`
  const tablesOf = ({ tables }: Loading) => (tables ? { tables } : {})
  const taken = { ...remoteOf(access), ...place, restore: id, ...some, ...(foreign && { foreign: true as const }) }
  return {
    program: files || loading.length ? [withProgram(site.server)] : [],
    fetched: [
      ...loading.map((one) =>
        step(
          dumpFetch,
          {
            // PostgreSQL fetches the whole dump and picks the tables from it
            ...{ ...remoteOf(access), ...(one.engine === 'postgresql' ? {} : tablesOf(one)) },
            ...{ snapshot: one.snapshot, name: one.was, file: file('restore', one) },
          },
          onDatabase(one),
        ),
      ),
      ...(files
        ? [step(filesPrepare, { ...taken, snapshot: files, ...(!paths && bytes !== undefined && { bytes }) }, onFiles)]
        : []),
    ],
    loads: [
      ...loading.map((one) =>
        step(
          databaseLoad,
          {
            ...{ ...engineOf(one), name: one.name, file: file('restore', one), definer: one.account.username },
            ...{ keep: file('before-restore', one), spent: true, ...tablesOf(one) },
          },
          onDatabase(one),
        ),
      ),
      ...owningNames(site, loading.map(received), names, `restored-names-${id}`),
    ],
    swap: files ? [step(filesSwap, { ...place, restore: id, ...some }, onFiles)] : [],
    keep: files ? [step(filesKeep, { ...place, restore: id, keepDays }, onFiles)] : [],
  }
}

/**
 * Steps of a restore onto an existing website. First everything is fetched from the repository to a place beside the
 * website: if this fails, visitors have seen no change. Then the website is closed, its tables and files are exchanged,
 * and it opens again.
 */
export function restoreSteps(
  site: Site,
  { state, config, forget, ...taking }: Taking & { state: 'active' | 'suspended'; config: boolean; forget: PlanStep[] },
): PlanStep[] {
  const { program, fetched, loads, swap, keep } = partsOf(site, taking)
  const { prepare, merge } = taking.mail ?? noMail
  if (!fetched.length && !config) return [...prepare, ...taking.settings, ...merge]
  const pools = config ? [pool(site), ...ownPool(site)] : []
  const work = renewingPhp(site, [...pools, ...loads, ...swap, ...taking.adapt, ...forget])
  const before = state === 'active' ? askBefore(site) : undefined
  const closed = before
    ? [before, serve(site, 'maintenance', 'active'), ...work, serve(site, 'active', 'maintenance')]
    : [...work, ...(config ? [serve(site, 'suspended', 'suspended')] : [])]
  return [
    ...program,
    ...fetched,
    ...prepare,
    ...closed,
    ask(site, state === 'active' ? 'served' : 'suspended', [], before),
    ...taking.settings,
    ...merge,
    ...keep,
  ]
}

/** Steps of a restore as a new website: `databases` makes the databases that receive the dumps. */
export function newSteps(site: Site, databases: PlanStep[], taking: Taking): PlanStep[] {
  const { program, fetched, loads, swap, keep } = partsOf(site, taking)
  const others = [...databases, ...program, ...fetched, ...loads, ...swap, ...taking.adapt]
  return creation(site, others, [...taking.settings, ...keep])
}
