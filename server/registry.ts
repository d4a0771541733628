import type { FastifyInstance } from 'fastify'
import { notify } from './access/notifications/notify.ts'
import type { Domain } from './domain.ts'
import * as domains from './domains.ts'
import { useAccountParts } from './hosting/systemUsers/parts.ts'
import { useParts } from './hosting/websites/parts/parts.ts'
import type { App, DepartmentChange } from './kit/app/app.ts'
import type { Appointment } from './kit/app/appointment.ts'
import { ownKinds } from './kit/app/secretKinds.ts'
import * as appTables from './kit/app/tables.ts'
import { storedRows } from './kit/audit/storedRow.ts'
import * as auditTables from './kit/audit/tables.ts'
import type { Db } from './kit/db/db.ts'
import * as storageTables from './kit/storage/tables.ts'
import { ownMetrics } from './kit/watch/ownMetrics.ts'
import { ownTroubles } from './kit/watch/ownTroubles.ts'
import * as watchTables from './kit/watch/tables.ts'
import type { PlanStep } from './kit/work/action.ts'
import type { Subject } from './kit/work/subject.ts'
import * as workTables from './kit/work/tables.ts'
import { useSiteEdges } from './net/ssl/siteEdges.ts'
import { useFeedSources } from './planning/leaves/feed/entries.ts'
import { useLeaveFollowers } from './planning/leaves/followers.ts'
import { useTimelineSources } from './quality/dossiers/timeline/parts.ts'

/** The statements of all domains together, for the start of the server and for tests that walk every domain. */
const all: readonly Domain[] = Object.values(domains)

/** Every table of the kit and the domains. */
export const tables = [
  appTables,
  auditTables,
  storageTables,
  watchTables,
  workTables,
  ...all.map((one) => one.tables ?? {}),
].flatMap((some) => Object.values<unknown>(some))
const subjects: Record<string, Subject> = Object.assign({}, ...all.map((one) => one.subjects))

export const secretKinds = [...ownKinds, ...all.flatMap((one) => one.secrets ?? [])]

export const readScopes = new Map<string, readonly string[]>([
  ...all.flatMap((one) => Object.entries(one.readScopes ?? {})),
  ['workflows', Object.values(subjects).map(({ see }) => see)],
])

export const rowScopes = new Map(all.flatMap((one) => Object.entries(one.rowScopes ?? {})))

/** The services of `App` that domains provide. */
export const services = {
  storedRow: storedRows(tables),
  readScopes,
  rowScopes,
  departmentsOf: Object.assign({}, ...all.map((one) => one.departmentsOf)),
  holdings: all.flatMap((one) => one.holdings ?? []),
  quotes: all.flatMap((one) => one.quotes ?? []),
  metrics: [...ownMetrics, ...all.flatMap((one) => one.metrics ?? [])],
  troubles: [...ownTroubles, ...all.flatMap((one) => one.troubles ?? [])],
  secretKinds,
  subjects,
  async agentUpdated(db, ...of) {
    const before: PlanStep[] = []
    const after: PlanStep[] = []
    for (const one of all) {
      const steps = await one.agentUpdated?.(db, ...of)
      before.push(...(steps?.before ?? []))
      after.push(...(steps?.after ?? []))
    }
    return { before, after }
  },
  async storedOn(db, serverId) {
    const stored: string[] = []
    for (const one of all) stored.push(...((await one.storedOn?.(db, serverId)) ?? []))
    return stored
  },
  async guardedAddresses(db) {
    const guarded: [string, string][] = []
    for (const one of all) guarded.push(...((await one.guardedAddresses?.(db)) ?? []))
    return guarded
  },
  async changeEmployment(db, change, save) {
    const effect = { leaves: 0, shifts: 0 }
    const run = all.reduceRight(
      (inner, one) => async () => {
        if (!one.changeEmployment) return inner()
        const { leaves = 0, shifts = 0 } = await one.changeEmployment(db, change, inner)
        effect.leaves += leaves
        effect.shifts += shifts
      },
      save,
    )
    await run()
    return effect
  },
  async holdForDepartment(db, userIds) {
    for (const one of all) await one.holdForDepartment?.(db, userIds)
  },
  changeDepartment<T>(db: Db, change: DepartmentChange, save: () => Promise<T>) {
    const run = all.reduceRight((inner, one) => () => one.changeDepartment?.(db, change, inner) ?? inner(), save)
    return run()
  },
  async planChanged(context, plan) {
    const workflows: number[] = []
    for (const one of all) workflows.push(...((await one.planChanged?.(context, plan)) ?? []))
    return workflows
  },
  notify,
  async appointments(db, userIds, now) {
    const found: Appointment[] = []
    for (const one of all) found.push(...((await one.appointments?.(db, userIds, now)) ?? []))
    return found
  },
  async managersOf(db, userId, now) {
    const found: number[] = []
    for (const one of all) found.push(...((await one.managersOf?.(db, userId, now)) ?? []))
    return found
  },
  async endSignIn(db, userId) {
    for (const one of all) await one.endSignIn?.(db, userId)
  },
  async endKeys(db, userIds) {
    for (const one of all) await one.endKeys?.(db, userIds)
  },
  retention: all.flatMap((one) => one.retention ?? []),
  async accountDeleted(db, user) {
    for (const one of all) await one.accountDeleted?.(db, user)
  },
} satisfies Partial<App>
/** Sample data of the domains, in order. */
export const seeds = all.flatMap((one) => one.seed ?? []).toSorted((a, b) => a.at - b.at)
export const schedules = all.flatMap((one) => one.schedules ?? [])
/** Adds every call to the web server. */
export function route(server: FastifyInstance, app: App): void {
  for (const { calls = [] } of all) for (const add of calls) add(server, app)
}

for (const { workflows = [] } of all) for (const declare of workflows) declare()
useTimelineSources(all.flatMap((one) => one.timeline ?? []))
useParts(all.flatMap((one) => one.websiteParts ?? []))
useAccountParts(all.flatMap((one) => one.accountParts ?? []))
useFeedSources(all.flatMap((one) => one.feed ?? []))
useLeaveFollowers(all.flatMap((one) => one.leaves ?? []))
useSiteEdges(all.flatMap((one) => one.siteEdges ?? []))
