import { type Contract, type Endpoint, ErrorBody, type Input, type Output, statusOf } from '@innkeeper/contract/kit'
import { owed } from '../access/owed.ts'
import { session } from '../access/session.ts'
import { toast } from '../dialogs/toast.ts'
import { toRequest } from './request.ts'
import { Stalled, transmit } from './transmit.ts'

const TIMEOUT = 30_000
/** Of a call that waits for a managed server, which may have much to read. */
const LIVE_TIMEOUT = 90_000

/** `status` 0: no answer came (`unreachable`, `timeout`). `call` reads `GET /api/websites`. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly call: string
  constructor(status: number, body: ErrorBody, call = '') {
    super([body.message].flat().join('\n'))
    this.status = status
    this.body = body
    this.call = call
  }
}

export interface Options {
  signal?: AbortSignal
  /** Another token than the session's. */
  jwt?: string
  /** Of a call that sends files: bytes that left, of all. */
  onProgress?: (sent: number, total: number) => void
}
type Call<E> =
  Partial<Input<E>> extends Input<E>
    ? (input?: Input<E>, options?: Options) => Promise<Output<E>>
    : (input: Input<E>, options?: Options) => Promise<Output<E>>
interface Queried<E> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Output<E>>
}
type Query<E> = Partial<Input<E>> extends Input<E> ? (input?: Input<E>) => Queried<E> : (input: Input<E>) => Queried<E>
/** One call of the contract: call it, hand `.query(input)` to useQuery, invalidate by `.key`. */
export type Bound<E> = Call<E> & { query: Query<E>; key: readonly [domain: string, call: string]; endpoint: E }
export type Client<C> = { [K in keyof C]: Bound<C[K]> }

/**
 * Binds calls of the contract to a domain: `changed {domain}` invalidates the answers of all calls that are bound to the domain.
 * Two contract files may share a domain. Method and path name the call in the key, because no two calls of the contract share
 * these.
 */
export function bind<C extends Contract>(domain: string, contract: C): Client<C> {
  const bound = Object.entries(contract).map(([name, endpoint]) => {
    const key = [domain, `${endpoint.method} ${endpoint.path}`] as const
    const call = (input: Record<string, unknown> = {}, options: Options = {}) => send(endpoint, input, options)
    const query = (input: Record<string, unknown> = {}) => ({
      queryKey: [...key, input],
      queryFn: ({ signal }: { signal: AbortSignal }) => send(endpoint, input, { signal }),
    })
    return [name, Object.assign(call, { key, query, endpoint })]
  })
  // built entry by entry from the contract, which the compiler cannot follow
  return Object.fromEntries(bound) as Client<C>
}

async function send(endpoint: Endpoint, input: Record<string, unknown>, options: Options): Promise<unknown> {
  const { signal, onProgress, jwt = session.user.jwt } = options
  const { method, url, body, contentType } = toRequest(endpoint, input)
  const call = `${method} ${url.split('?')[0]}`
  const headers = new Headers({ accept: 'application/json' })
  if (jwt) headers.set('authorization', `Bearer ${jwt}`)
  if (contentType) headers.set('content-type', contentType)
  const timeout = AbortSignal.timeout(endpoint.spec.live ? LIVE_TIMEOUT : TIMEOUT)
  // what sends files may take hours: its limit is on standing still
  const sending =
    body instanceof FormData || body instanceof Blob
      ? transmit({ method, url, headers, body, signal, onProgress })
      : fetch(url, { method, headers, body, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
  const response = await sending.catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    if (cause instanceof Stalled) throw new ApiError(0, stalled, call)
    throw new ApiError(0, cause === timeout.reason ? late : unreachable, call)
  })
  if (!response.ok) throw await refused(response, jwt, call)
  const expected = statusOf(endpoint)
  if (expected !== undefined && response.status !== expected)
    throw new ApiError(
      response.status,
      { code: 'unexpected', message: `The server answered ${response.status} where ${expected} was expected.` },
      call,
    )
  if (response.status === 204) return undefined
  return response.headers.get('content-type')?.includes('json') ? response.json() : response.blob()
}

const late: ErrorBody = {
  message: 'The server did not answer within 30 s. It may still have done it.',
  code: 'timeout',
}
const stalled: ErrorBody = { message: 'Nothing moved for a minute. The connection seems to be gone.', code: 'stalled' }
const unreachable: ErrorBody = { message: 'The server cannot be reached. Check the connection.', code: 'unreachable' }

async function refused(response: Response, jwt: string, call: string): Promise<ApiError> {
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined)) // a proxy answers in HTML
  const message = `The server answered ${response.status} ${response.statusText}`.trim()
  const body = parsed.success ? parsed.data : { message, code: String(response.status) }
  const error = new ApiError(response.status, body, call)
  if (jwt && lostSession(error)) endSession(jwt)
  owed.heard(body.code)
  return error
}

/** Rule RP8-001; any other 401 is an error like all others. */
export const lostSession = ({ status, message }: ApiError): boolean =>
  status === 401 && (message.startsWith('No credentials found') || message === 'token expired')

/** Once per token, however many calls of a page were refused. */
function endSession(jwt: string): void {
  if (session.user.jwt !== jwt) return
  session.signOut()
  toast.error('Authentication Error', 'Invalid token provided. Please login again.', { duration: 5000 })
}
