import { databaseDump, databaseInspect, databaseLoad } from '../databases/actions.ts'
import { type PlanStep, secret, step } from '../kit/work/action.ts'
import { packagesEnsure } from '../servers/actions.ts'
import { ask, creation, folderOf, hasOwnFolder, renewingPhp, type Site, serve } from '../websites/steps.ts'
import { documentRootCopy, documentRootMerge, documentRootRevert, siteConfigAdapt } from './actions.ts'

interface Named {
  id: number
  name: string
}
/** A live database and its copy, each with an account that has access. */
export interface Pair {
  live: Named & { user: string }
  copy: Named & { user: string; secret: string }
}

/** The whole folder of a website, because applications also keep files beside `public`. */
export const placeOf = (site: Site) => ({ username: site.systemUser.username, path: folderOf(site) })
/**
 * Folder of the copy for that of the live website; the document root alone if the live website has no folder of its
 * own.
 */
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

/** `databases`: steps that create the databases of the copy. */
export const stagingSteps = (live: Site, copy: Site, pairs: Pair[], databases: PlanStep[]): PlanStep[] => [
  // nftables rejects mail that the application sends by SMTP itself
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
          // a reference: the password is inserted when the agent claims the action
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
  /** Limits the files to these paths. */
  paths: string[] | undefined
  databases: (Pair & { tables: 'all' | string[] })[]
}

/** Serves the maintenance page during `loads`: visitors would find tables missing, and their writes would be lost. */
const closed = (live: Site, loads: PlanStep[], forget: PlanStep[]): PlanStep[] =>
  loads.length
    ? [
        serve(live, 'maintenance', 'active'),
        ...renewingPhp(live, [...loads, ...forget]),
        serve(live, 'active', 'maintenance'),
      ]
    : []

/**
 * Steps of a merge. Databases come first: if a dump fails, visitors have seen no change yet. `forget`: steps of the
 * parts that empty caches after tables were replaced.
 */
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

/**
 * Steps that revert a merge; of chosen tables only these are restored. `taken`: ids of the actions that merged the
 * files.
 */
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
