import type { Dice } from './dice.ts'
import type { Managed, World } from './world.ts'

export interface Scene {
  world: World
  /** The server that the workflow is at work on. */
  server: Managed
  d: Dice
}
export interface Struck {
  /** Particulars, for the line that is printed. */
  about?: string
  /** The fault lasts so long, in ms, or until the workflow has stopped. */
  lasts: number
  /** Ends it. What comes after is up to Innkeeper. */
  mend(): unknown
}
export interface Fault {
  weight: number
  /** The host's own websites cannot be reached meanwhile. */
  darkens?: true
  /** May be there already when the workflow is asked for. */
  early?: true
  /** Why it cannot be thrown on this machine, where it cannot. */
  absent?(): string | undefined
  strike(scene: Scene): Promise<Struck>
}
