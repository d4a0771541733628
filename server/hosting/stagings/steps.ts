import { outputOf, type PlanStep, secret, step } from '../../kit/work/action.ts'
import { packagesEnsure } from '../../machines/servers/actions.ts'
import {
  databaseDump,
  databaseInspect,
  databaseLoad,
  databaseMarks,
  databaseUnchanged,
  siteConfigAdapt,
} from '../databases/actions.ts'
import { type Chosen, owningNames } from '../databases/replacements/steps.ts'
import { engineOf } from '../databases/steps.ts'
import { folderOf, hasOwnFolder } from '../websites/folders.ts'
import { ask, askBefore, renewingPhp, type Site, serve } from '../websites/siteSteps.ts'
import { creation } from '../websites/steps.ts'
import { documentRootCopy, mergeBring, mergeKeep, mergePrepare, mergeSwap } from './actions.ts'
import type { Of, Pair } from './read.ts'

/**
 * State of the live website for which people confirmed a merge. The actions of the merge stop if there are later
 * changes.
 */
export interface Seen {
  /** Digest of the files. */
  files: string
  /** Checksums of the merged tables, by database id. */
  tables: Record<number, Record<string, string | null>>
}

/** The whole folder of a website, because applications also keep files beside `public`. */
export const placeOf = (site: Site) => ({ username: site.systemUser.username, path: folderOf(site) })
/**
 * Folder of the copy that corresponds to the folder of the live website; only the document root if the live website has
 * no folder of its own.
 */
export const copyPlaceOf = (copy: Site, live: Site) => ({
  username: copy.systemUser.username,
  path: hasOwnFolder(live) ? folderOf(copy) : copy.documentRoot,
})
const on = ({ server }: Site, type: string, { id, name }: Pick<Of, 'id' | 'name'>) => ({
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
        step(
          databaseInspect,
          { ...engineOf(pair.live), name: pair.live.name, deep: true },
          on(live, 'database', pair.live),
        ),
        step(databaseDump, { ...engineOf(pair.live), name: pair.live.name, file }, on(live, 'database', pair.live)),
        step(
          databaseLoad,
          { ...engineOf(pair.copy), name: pair.copy.name, file, definer: pair.copy.user, spent: true },
          on(copy, 'database', pair.copy),
        ),
      ]
    }),
    ...owningNames(
      copy,
      pairs.map(({ copy: { id, name, engine } }) => ({ id, name, engine, serverId: copy.server.id, tables: null })),
      [live.domain],
      `copied-names-${copy.id}`,
    ),
    step(
      siteConfigAdapt,
      {
        ...copyPlaceOf(copy, live),
        databases: pairs.map((pair) => ({
          was: pair.live.name,
          name: pair.copy.name,
          user: pair.copy.user,
          // a reference; the password is inserted when the agent claims the action
          password: secret(pair.copy.secret) as unknown as string,
        })),
        names: { from: live.domain, to: copy.domain },
        from: placeOf(live),
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

interface Changing {
  /** Steps that check that nothing has changed since people looked. */
  checks?: PlanStep[]
  loads: PlanStep[]
  /** Steps that exchange the files. */
  swap: PlanStep[]
  /** Steps of other parts that clear caches after tables were replaced. */
  forget: PlanStep[]
}

/**
 * Serves the maintenance page while tables and files change, because visitors would get errors from missing tables or
 * old code, and their writes would be lost.
 */
const closed = (live: Site, { checks = [], loads, swap, forget }: Changing): PlanStep[] => [
  serve(live, 'maintenance', 'active'),
  ...checks,
  ...renewingPhp(live, [...loads, ...swap, ...(loads.length ? forget : [])]),
  serve(live, 'active', 'maintenance'),
]

export interface Merging {
  /** The state that people confirmed. */
  seen: Seen
  keepDays: number
  forget: PlanStep[]
  /** Names that the tables of the copy may contain instead of the website's own. */
  names: string[]
}

/** Steps of a merge. Dumps and the copy of the files come first, so that visitors notice nothing if one fails. */
export const mergeSteps = (
  live: Site,
  copy: Site,
  mergeId: number,
  taking: Taking,
  { seen, keepDays, forget, names }: Merging,
): PlanStep[] => {
  const paths = taking.paths && { paths: taking.paths }
  const which = { ...placeOf(live), merge: mergeId, ...paths }
  const marks = taking.databases.map((one) =>
    step(
      databaseMarks,
      {
        ...engineOf(one.live),
        name: one.live.name,
        expected: seen.tables[one.live.id] ?? {},
        complete: one.tables === 'all',
      },
      on(live, 'database', one.live),
    ),
  )
  const files = (steps: () => PlanStep[]) => (taking.files ? steps() : [])
  const before = askBefore(live)
  return [
    ...taking.databases.map((one) =>
      step(
        databaseDump,
        { ...engineOf(one.copy), name: one.copy.name, file: spool('merge', mergeId, one.live.id), ...tablesOf(one) },
        on(copy, 'database', one.copy),
      ),
    ),
    ...files(() => [
      step(
        mergePrepare,
        { ...which, copy: copy.id, from: copyPlaceOf(copy, live), seen: seen.files, keepDays },
        onFiles(live),
      ),
    ]),
    ...marks,
    before,
    ...closed(live, {
      checks: taking.databases.map((one, i) =>
        step(
          databaseUnchanged,
          { ...engineOf(one.live), name: one.live.name, since: outputOf(marks[i]!, 'marks'), ...tablesOf(one) },
          on(live, 'database', one.live),
        ),
      ),
      loads: [
        ...taking.databases.map((one) =>
          step(
            databaseLoad,
            {
              ...engineOf(one.live),
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
        ...owningNames(live, loadedBy(live, taking), names, `merged-names-${mergeId}`),
      ],
      swap: files(() => [step(mergeSwap, which, onFiles(live))]),
      forget,
    }),
    ask(live, 'served', [copy.domain], before),
    ...files(() => [step(mergeKeep, { ...which, keepDays }, onFiles(live))]),
  ]
}

const chosenOf =
  ({ server }: Site) =>
  ({ tables, ...of }: Of & { tables: 'all' | string[] }): Chosen => ({
    ...{ ...of, serverId: server.id, tables: tables === 'all' ? null : tables },
  })
const loadedBy = (site: Site, { databases }: Taking) =>
  databases.map(({ live, tables }) => chosenOf(site)({ ...live, tables }))
const tablesOf = ({ tables }: Pick<Taking['databases'][number], 'tables'>) => (tables === 'all' ? {} : { tables })

/**
 * Steps that revert a merge; if it merged only chosen tables, only these are restored. `taken`: ids of the actions that
 * kept the former files. The first step checks that all former data exists, before visitors see a change.
 */
export const revertSteps = (
  live: Site,
  mergeId: number,
  databases: (Of & { user: string; tables: 'all' | string[] })[],
  taken: number[],
  { keepDays, forget, names }: Omit<Merging, 'seen'>,
): PlanStep[] => {
  const which = { ...placeOf(live), merge: mergeId, back: true }
  const files = (steps: () => PlanStep[]) => (taken.length ? steps() : [])
  const before = askBefore(live)
  return [
    step(
      mergeBring,
      {
        ...placeOf(live),
        merge: mergeId,
        ...(taken.length && { taken }),
        files: databases.map(({ id }) => spool('before-merge', mergeId, id)),
        keepDays,
      },
      onFiles(live),
    ),
    before,
    ...closed(live, {
      loads: [
        ...databases.map((one) =>
          step(
            databaseLoad,
            {
              ...engineOf(one),
              name: one.name,
              file: spool('before-merge', mergeId, one.id),
              definer: one.user,
              ...(one.tables !== 'all' && { tables: one.tables, lacking: 'go' as const }),
              keep: spool('before-revert', mergeId, one.id),
            },
            on(live, 'database', one),
          ),
        ),
        ...owningNames(live, databases.map(chosenOf(live)), names, `reverted-names-${mergeId}`),
      ],
      swap: files(() => [step(mergeSwap, which, onFiles(live))]),
      forget,
    }),
    ask(live, 'served', [], before),
    ...files(() => [step(mergeKeep, { ...which, keepDays }, onFiles(live))]),
  ]
}
