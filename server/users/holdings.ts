import type { Holding } from '@innkeeper/contract/users'
import { organisedEvents } from '../calendarEvents/holdings.ts'
import { ownedFiles } from '../files/holdings.ts'
import type { Db } from '../kit/db/db.ts'
import { approverPlaces } from '../leaves/holdings.ts'
import { shiftsAhead } from '../shifts/holdings.ts'
import { openWorkflows } from '../workflows/holdings.ts'

/** What a person can hold in one domain, and how it passes to another when the account goes. */
export interface Holdable {
  key: string
  /** "Open workflows" */
  label: string
  count(db: Db, userId: number): Promise<number>
  handOver(db: Db, from: number, to: { id: number; name: string }): Promise<void>
}

/** One line per domain. */
const holdables: readonly Holdable[] = [openWorkflows, ownedFiles, organisedEvents, approverPlaces, shiftsAhead]

/** What this person holds; kinds of which there is nothing are left out. */
export async function holdingsOf(db: Db, userId: number): Promise<Holding[]> {
  const found: Holding[] = []
  for (const { key, label, count } of holdables) {
    const n = await count(db, userId)
    if (n > 0) found.push({ key, label, count: n })
  }
  return found
}

export async function handOver(db: Db, from: number, to: { id: number; name: string }): Promise<void> {
  for (const holdable of holdables) await holdable.handOver(db, from, to)
}
