import { contract } from '@innkeeper/contract/index'
import type { Endpoint, Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { pagesOf, type Row, rowsIn } from './pages.ts'
import { type Connection, type Options, send } from './send.ts'
import { follow } from './workflow.ts'

export { ApiError, type Connection, type Options } from './send.ts'
export { WorkflowEnded } from './workflow.ts'

type Contract = typeof contract
type Call<E> =
  Partial<Input<E>> extends Input<E>
    ? (input?: Input<E>, options?: Options) => Promise<Output<E>>
    : (input: Input<E>, options?: Options) => Promise<Output<E>>
type Calls = { [D in keyof Contract]: { [C in keyof Contract[D]]: Call<Contract[D][C]> } }
/** The rows of a list, whatever the answer calls them. */
type RowOf<A> = { [K in keyof A]-?: A[K] extends readonly (infer T)[] ? T : never }[keyof A]

export interface Client extends Calls {
  /** All rows of a list, page by page: `for await (const site of client.pages(client.websites.list, { server: '3' }))`. */
  pages<I extends object, A>(
    list: (input: I, options?: Options) => Promise<A>,
    input?: Omit<I, 'page' | 'after'>,
  ): AsyncGenerator<RowOf<A>>
  /** Follows a workflow to its end. Throws WorkflowEnded if it failed or was cancelled. */
  waitFor(
    workflow: number | { workflowId: number | null },
    options?: { signal?: AbortSignal; onProgress?: (workflow: WorkflowWithActions) => void },
  ): Promise<WorkflowWithActions | undefined>
}

/** A client of one Innkeeper. Its calls are those of the contract: `client.websites.create({ … })`. */
export function createClient(connection: Connection): Client {
  const domains = Object.entries(contract).map(([domain, calls]) => [
    domain,
    Object.fromEntries(
      Object.entries(calls).map(([name, endpoint]: [string, Endpoint]) => [
        name,
        (input: Row = {}, options: Options = {}) => send(connection, endpoint, input, options),
      ]),
    ),
  ])
  // the compiler cannot derive the type of an object built entry by entry
  const calls = Object.fromEntries(domains) as Calls
  return Object.assign(calls, {
    pages: <I extends object, A>(list: (input: I) => Promise<A>, input?: Omit<I, 'page' | 'after'>) =>
      pagesOf((page) => list({ ...input, ...page } as I), rowsIn) as AsyncGenerator<RowOf<A>>,
    async waitFor(
      workflow: number | { workflowId: number | null },
      options: { signal?: AbortSignal; onProgress?: (workflow: WorkflowWithActions) => void } = {},
    ) {
      const id = typeof workflow === 'number' ? workflow : workflow.workflowId
      return id === null ? undefined : follow((signal) => calls.workflows.one({ id }, { signal }), options)
    },
  })
}
