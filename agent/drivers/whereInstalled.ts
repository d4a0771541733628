import type { OperationName } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../kit/driver.ts'

/**
 * A removal that has nothing to do on a server without the engine, as on the former server of a website that got its first
 * database after a move.
 */
export const whereInstalled = <N extends OperationName>(isInstalled: () => boolean, driver: Driver<N>): Driver<N> => ({
  run: async (c) => (isInstalled() ? driver.run(c) : c.say('The engine is not installed here: nothing to remove')),
  undo: async (c) => (isInstalled() ? driver.undo(c) : undefined),
  inspect: async (about) => (isInstalled() ? driver.inspect(about) : 'no'), // a repeat is harmless
})
