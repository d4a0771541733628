import {
  type Contract,
  type Endpoint,
  ErrorBody,
  type Input,
  type Output,
  statusOf,
} from '@innkeeper/contract/kit/endpoint'
import { toRequest } from '@innkeeper/contract/kit/request'
import { owed } from '../access/owed.ts'
import { session } from '../access/session.ts'
import { toast } from '../dialogs/toast.ts'
import { frameTexts } from '../frame/texts.ts'
import { localeTag } from '../look/locale.ts'
import { newId } from './newId.ts'
import { Stalled, transmit } from './transmit.ts'

const TIMEOUT = 30_000
/** Timeout of calls that read live from a managed server, in milliseconds. */
const LIVE_TIMEOUT = 90_000

/**
 * An error of the API. `status` is 0 when no response arrived (`unreachable`, `timeout`); `call` names the request:
 * `GET /api/websites`.
 */
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

interface Options {
  signal?: AbortSignal
  /** Session to use instead of the current one: its mark, `ANY_SESSION`, or a token. */
  jwt?: string
  /** True: the request outlives the page, for calls while the page closes. */
  keepalive?: boolean
  /** Upload progress in bytes. */
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
/** One call of the contract: call it directly, pass `.query(input)` to useQuery, invalidate by `.key`. */
export type Bound<E> = Call<E> & { query: Query<E>; key: readonly [domain: string, call: string]; endpoint: E }
export type Client<C> = { [K in keyof C]: Bound<C[K]> }

/**
 * Binds calls of the contract to a domain: the event `changed {domain}` invalidates all queries of that domain. Two
 * contract files may share a domain, so the query key contains method and path, which are unique in the contract.
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
  // the compiler cannot derive the type of an object built entry by entry
  return Object.fromEntries(bound) as Client<C>
}

async function send(endpoint: Endpoint, input: Record<string, unknown>, options: Options): Promise<unknown> {
  const { signal, onProgress, jwt = session.user.jwt, keepalive = false } = options
  const { method, url, body, contentType } = toRequest(endpoint, input)
  const call = `${method} ${url.split('?')[0]}`
  const requestId = newId()
  const headers = new Headers({
    ...{ accept: 'application/json', 'accept-language': localeTag(), 'x-request-id': requestId },
    ...proofOf(jwt),
  })
  if (contentType) headers.set('content-type', contentType)
  const timeout = AbortSignal.timeout(endpoint.spec.live ? LIVE_TIMEOUT : TIMEOUT)
  // uploads may take hours: they time out when no bytes move, not by total duration
  const sending =
    body instanceof FormData || body instanceof Blob
      ? transmit({ method, url, headers, body, signal, onProgress })
      : fetch(url, { method, headers, body, keepalive, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
  const response = await sending.catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    if (cause instanceof Stalled) throw new ApiError(0, { ...stalled(), requestId }, call)
    throw new ApiError(0, { ...(cause === timeout.reason ? late() : unreachable()), requestId }, call)
  })
  if (!response.ok) throw await refused(response, { jwt, call, requestId })
  const expected = statusOf(endpoint)
  if (expected !== undefined && response.status !== expected)
    throw new ApiError(
      response.status,
      {
        code: 'unexpected',
        message: `The server answered ${response.status} where ${expected} was expected.`,
        requestId,
      },
      call,
    )
  if (response.status === 204) return undefined
  return response.headers.get('content-type')?.includes('json') ? response.json() : response.blob()
}

/** `jwt` of a call by the session in the cookie, before the page knows the mark of the session. */
export const ANY_SESSION = 'any'

/**
 * The session is in a cookie that scripts cannot read, and counts with this header only: pages of other origins cannot
 * send it. A token that the page still has is sent as programs send it; the server answers with the cookie.
 */
function proofOf(jwt: string): Record<string, string> {
  const isToken = jwt !== '' && jwt !== ANY_SESSION && !jwt.startsWith('cookie-')
  return {
    'x-innkeeper-session': isToken || !jwt ? ANY_SESSION : jwt,
    ...(isToken && { authorization: `Bearer ${jwt}` }),
  }
}

const late = (): ErrorBody => ({ message: frameTexts().noAnswer, code: 'timeout' })
const stalled = (): ErrorBody => ({ message: frameTexts().stalled, code: 'stalled' })
const unreachable = (): ErrorBody => ({ message: frameTexts().unreachable, code: 'unreachable' })

/** An answer of a proxy has no id: the request has the one that we sent. */
async function refused(
  response: Response,
  { jwt, call, requestId }: { jwt: string; call: string; requestId: string },
): Promise<ApiError> {
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined)) // proxies answer errors in HTML
  const message = `The server answered ${response.status} ${response.statusText}`.trim()
  const body = parsed.success ? parsed.data : { message, code: String(response.status), requestId }
  const error = new ApiError(response.status, body, call)
  if (jwt && lostSession(error)) endSession(jwt)
  owed.heard(body.code)
  return error
}

/** Recognises the answer that ends a session (rule RP8-001). Other 401 answers are ordinary errors. */
const lostSession = ({ status, message }: ApiError): boolean =>
  status === 401 && (message.startsWith('No credentials found') || message === 'token expired')

/** Ends the session once per token, even if several calls of a page are refused. */
function endSession(jwt: string): void {
  if (session.user.jwt !== jwt) return
  session.signOut()
  toast.error('Authentication Error', 'Invalid token provided. Please login again.', { duration: 5000 })
}
