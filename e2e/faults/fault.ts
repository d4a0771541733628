import type { Dice } from './dice.ts'
import type { Managed, World } from './world.ts'

export interface Scene {
  world: World
  /** The server that the workflow changes. */
  server: Managed
  d: Dice
}
export interface Struck {
  /** Details for the printed line. */
  about?: string
  /** Duration of the fault in ms; absent: until the workflow has stopped. */
  lasts: number
  /** Ends the fault. Recovery after that is up to Innkeeper. */
  mend(): unknown
}
export interface Fault {
  weight: number
  /** The host's own websites are unreachable during the fault. */
  darkens?: true
  /** The fault may begin before the workflow is requested. */
  early?: true
  /** Why this machine cannot inject the fault. */
  absent?(): string | undefined
  strike(scene: Scene): Promise<Struck>
}
