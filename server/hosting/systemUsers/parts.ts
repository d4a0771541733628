import type { WebServer } from '@innkeeper/contract/machines/servers/shapes'
import type { Db } from '../../kit/db/db.ts'
import type { PlanStep } from '../../kit/work/action.ts'

/** The fields of an account that its actions need. */
export interface Account {
  id: number
  username: string
  server: { id: number; name: string; webServer: WebServer }
  plan: { memoryMb: number; cpuPercent: number; tasks: number; diskMb: number }
  /** PHP versions of its websites; the account has a pool for each. */
  phpVersions: string[]
  /** True: the account has only a staging copy. */
  holdsMail: boolean
}

type State = 'active' | 'suspended'

/** Part of an account on a server that belongs to a domain. A part without a hook adds no steps. */
export interface AccountPart {
  /** Ascending: websites 30, PHP 31, caches 50, access 60. */
  order: number
  /** Applies the limits of the account's plan. */
  resize?(db: Db, account: Account): Promise<PlanStep[]>
  /** Suspends or activates the part together with the account. `locks` stay until the workflow ends. */
  switchTo?(db: Db, account: Switched, state: State): Promise<{ steps: PlanStep[]; locks?: string[] }>
}
export interface Switched {
  id: number
  username: string
  serverId: number
}

let parts: readonly AccountPart[] = []

/** Sets the parts of all domains; called once by server/registry.ts. */
export function useAccountParts(all: readonly AccountPart[]): void {
  parts = all.toSorted((a, b) => a.order - b.order)
}

/** Steps of all parts that apply the limits of the account's plan. */
export async function resized(db: Db, account: Account): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const { resize } of parts) steps.push(...((await resize?.(db, account)) ?? []))
  return steps
}

/** Steps of all parts for a suspension or activation of the account, and the locks that they need. */
export async function switched(
  db: Db,
  account: Switched,
  state: State,
): Promise<{ steps: PlanStep[]; locks: string[] }> {
  const steps: PlanStep[] = []
  const locks: string[] = []
  for (const part of parts) {
    const found = await part.switchTo?.(db, account, state)
    steps.push(...(found?.steps ?? []))
    locks.push(...(found?.locks ?? []))
  }
  return { steps, locks }
}
