import { databaseDump, databaseInspect, databaseLoad } from '../databases/actions.ts'
import { type PlanStep, secret, step } from '../kit/work/action.ts'
import { packagesEnsure } from '../servers/actions.ts'
import { ask, creation, folderOf, hasOwnFolder, renewingPhp, type Site, serve } from '../websites/steps.ts'
import { documentRootCopy, documentRootMerge, documentRootRevert, siteConfigAdapt } from './actions.ts'

interface Named {
  id: number
  name: string
}
/** A live database and its copy, each with the account that comes to it. */
export interface Pair {
  live: Named & { user: string }
  copy: Named & { user: string; secret: string }
}

/** The whole folder of a website: an application keeps more beside `public` than in it. */
export const placeOf = (site: Site) => ({ username: site.systemUser.username, path: folderOf(site) })
/** Its counterpart; of a website in another's folder that is its document root alone. */
export const copyPlaceOf = (copy: Site, live: Site) => ({
  username: copy.systemUser.username,
  path: hasOwnFolder(live) ? folderOf(copy) : copy.documentRoot,
})
const on = ({ server }: Site, type: string, { id, name }: Named) => ({
  server: server.id,
  resource: { type, id, name },
})
const onFiles = (site: Site) => on(site, 'document-root', { id: site.id, name: site.domain })
const spool = (...words: (string | number)[]) => `${words.join('-')}.sql.gz`

/** `databases`: the steps that make the copy's own. */
export const stagingSteps = (live: Site, copy: Site, pairs: Pair[], databases: PlanStep[]): PlanStep[] => [
  // what holds back mail that an application sends by itself
  step(packagesEnsure, { packages: ['nftables'] }, on(copy, 'packages', copy.server)),
  ...creation(copy, [
    ...databases,
    step(documentRootCopy, { ...copyPlaceOf(copy, live), copy: copy.id, from: placeOf(live) }, onFiles(copy)),
    ...pairs.flatMap((pair) => {
      const file = spool('staging', copy.id, pair.live.id)
      return [
        step(databaseInspect, { name: pair.live.name, deep: true }, on(live, 'database', pair.live)),
        step(databaseDump, { name: pair.live.name, file }, on(live, 'database', pair.live)),
        step(
          databaseLoad,
          { name: pair.copy.name, file, definer: pair.copy.user, spent: true },
          on(copy, 'database', pair.copy),
        ),
      ]
    }),
    step(
      siteConfigAdapt,
      {
        ...copyPlaceOf(copy, live),
        databases: pairs.map((pair) => ({
          was: pair.live.name,
          name: pair.copy.name,
          user: pair.copy.user,
          // put in when the agent takes it, as every secret
          password: secret(pair.copy.secret) as unknown as string,
        })),
        names: { from: live.domain, to: copy.domain },
      },
      on(copy, 'site-config', { id: copy.id, name: copy.domain }),
    ),
  ]),
]

export interface Taking {
  files: boolean
  /** These alone, of the files. */
  paths: string[] | undefined
  databases: (Pair & { tables: 'all' | string[] })[]
}

/** Nobody visits while these are done: a visitor would find tables that are not there, and write where it is lost. */
const closed = (live: Site, loads: PlanStep[], forget: PlanStep[]): PlanStep[] =>
  loads.length
    ? [
        serve(live, 'maintenance', 'active'),
        ...renewingPhp(live, [...loads, ...forget]),
        serve(live, 'active', 'maintenance'),
      ]
    : []

/** Databases first: their dumps may fail, and nothing that visitors see has changed yet. */
/** `forget`: of its parts, once tables of it are others. */
export const mergeSteps = (
  live: Site,
  copy: Site,
  mergeId: number,
  taking: Taking,
  keepDays: number,
  forget: PlanStep[],
): PlanStep[] => [
  ...taking.databases.map((one) =>
    step(
      databaseDump,
      { name: one.copy.name, file: spool('merge', mergeId, one.live.id), ...tablesOf(one) },
      on(copy, 'database', one.copy),
    ),
  ),
  ...closed(
    live,
    taking.databases.map((one) =>
      step(
        databaseLoad,
        {
          name: one.live.name,
          file: spool('merge', mergeId, one.live.id),
          definer: one.live.user,
          ...tablesOf(one),
          keep: spool('before-merge', mergeId, one.live.id),
          spent: true,
        },
        on(live, 'database', one.live),
      ),
    ),
    forget,
  ),
  ...(taking.files
    ? renewingPhp(live, [
        step(
          documentRootMerge,
          { ...placeOf(live), from: copyPlaceOf(copy, live), keepDays, ...(taking.paths && { paths: taking.paths }) },
          onFiles(live),
        ),
      ])
    : []),
  ask(live, 'served'),
]

const tablesOf = ({ tables }: Pick<Taking['databases'][number], 'tables'>) => (tables === 'all' ? {} : { tables })

/** Of chosen tables these alone go back. `taken`: the action that merged the files; empty where none did. */
export const revertSteps = (
  live: Site,
  mergeId: number,
  databases: (Named & { user: string; tables: 'all' | string[] })[],
  taken: number[],
  keepDays: number,
  forget: PlanStep[],
): PlanStep[] => [
  ...closed(
    live,
    databases.map((one) =>
      step(
        databaseLoad,
        {
          name: one.name,
          file: spool('before-merge', mergeId, one.id),
          definer: one.user,
          ...(one.tables !== 'all' && { tables: one.tables, lacking: 'go' as const }),
          keep: spool('before-revert', mergeId, one.id),
        },
        on(live, 'database', one),
      ),
    ),
    forget,
  ),
  ...(taken.length
    ? renewingPhp(live, [step(documentRootRevert, { ...placeOf(live), taken, keepDays }, onFiles(live))])
    : []),
  ask(live, 'served'),
]
