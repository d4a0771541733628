import type { App } from '../app/app.ts'
import type { Db } from '../db/db.ts'

/** A fault of Innkeeper itself, such as an old backup. */
export interface Trouble {
  /** Names the fault as long as it lasts; begins with the prefix of its source. */
  key: string
  title: string
  detail?: string
  level: 'warning' | 'error'
  /** Path of the page in the app. */
  link?: string
  /** It cannot be seen now whether the fault lasts, as on a silent machine: an open one stays open, and none begins. */
  isUnseen?: true
}

/** Finds the present faults of one kind. Each fault is told once when it begins, and once when it has ended. */
export interface TroubleSource {
  prefix: string
  /** Whether the domain itself notifies people of these faults. */
  isTold?: boolean
  find(app: App): Promise<Trouble[]>
  /**
   * Whether anybody still looks for the fault of this key, if what is watched can be removed. A fault that nobody looks for
   * any more is not told as over.
   */
  isWatched?(at: { db: Db; settings: App['settings'] }, key: string): Promise<boolean>
}
