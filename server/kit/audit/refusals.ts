import { networkOf } from '../http/address.ts'

/**
 * Maximum numbers of refused calls that get log rows within some minutes: of one person, of all guests together, and of
 * the guests of one address.
 */
const most = { ofPerson: 2000, ofGuests: 2000, ofAddress: 200 }
const MINUTES = 15

/** Bounds the log rows of refused calls, because anybody can cause refusals, and log rows are permanent. */
export interface Refusals {
  /** Counts a refusal by a person (0: a guest) from an address. `isFirstLost`: the first that gets no row. */
  count(staffId: number, ip: string): { isLogged: boolean; isFirstLost: boolean }
}

export function refusals({ ofPerson, ofGuests, ofAddress } = most, now = () => performance.now()): Refusals {
  const windows = new Map<number, { since: number; n: number; byAddress: Map<string, number> }>()
  return {
    count(staffId, ip) {
      const found = windows.get(staffId)
      const isOpen = found && now() - found.since < MINUTES * 60_000
      const window = isOpen ? found : { since: now(), n: 0, byAddress: new Map<string, number>() }
      windows.set(staffId, window)
      const limit = staffId ? ofPerson : ofGuests
      // when no rows are left, no further addresses are stored
      if (!staffId && window.n <= limit) {
        const network = networkOf(ip)
        const own = (window.byAddress.get(network) ?? 0) + 1
        window.byAddress.set(network, own)
        // an address beyond its own limit takes no rows from other guests
        if (own > ofAddress) return { isLogged: false, isFirstLost: own === ofAddress + 1 }
      }
      window.n += 1
      return { isLogged: window.n <= limit, isFirstLost: window.n === limit + 1 }
    },
  }
}
