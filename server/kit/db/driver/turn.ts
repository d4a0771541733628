import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Finds statements beside the transaction of their own work. On the embedded database, which has one connection, such a statement
 * waits for the end of the transaction, and the transaction for the statement: nothing is answered any more. On PostgreSQL the
 * statement takes a second connection of the pool, and does not see what the transaction has written.
 */
export class Turn {
  readonly #held = new AsyncLocalStorage<{ isOpen: boolean }>()

  /** Runs a transaction. Work that it leaves behind may ask the database once the transaction has ended. */
  async hold<T>(transaction: () => Promise<T>): Promise<T> {
    this.check()
    const held = { isOpen: true }
    try {
      return await this.#held.run(held, transaction)
    } finally {
      held.isOpen = false
    }
  }

  /** Throws if the work that asks has a transaction open. */
  check(): void {
    if (this.#held.getStore()?.isOpen)
      throw new Error('This statement runs beside the transaction of its own work: pass the transaction on')
  }

  /** Checks each call of these methods. */
  guard<O extends object>(owner: O, ...names: readonly (keyof O)[]): void {
    for (const name of names) {
      const method = owner[name] as (...given: unknown[]) => unknown
      owner[name] = ((...given: unknown[]) => {
        this.check()
        return method.apply(owner, given)
      }) as O[typeof name]
    }
  }
}
