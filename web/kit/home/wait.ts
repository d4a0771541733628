import type { Access } from '@innkeeper/contract/kit/access'
import type { UseQueryOptions } from '@tanstack/react-query'

/** How much of one kind waits for the signed-in person. */
export interface Waiting {
  count: number
  /** Where it waits, if not at the address of the kind. */
  to?: string | undefined
}
export type WaitQuery = UseQueryOptions<unknown, Error, Waiting>

/** A kind of work of a domain that may wait for people who hold `reads`. */
export interface HomeWait {
  name: string
  /** Position among all kinds. */
  at: number
  reads: Exclude<Access, 'public'>
  noun: readonly [one: string, many: string]
  /** Address of the screen with this work. */
  to: string
  /** True for what has failed. */
  urgent?: true
  load: () => Promise<{ default: WaitQuery }>
}

interface Queried<D> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<D>
}
/** A call that counts waiting work, and how its answer is read. */
export const wait = <D>(query: Queried<D>, select: (data: D) => Waiting): WaitQuery =>
  // the data are of the call's type, which a list of different queries cannot name
  ({ ...query, select }) as WaitQuery
