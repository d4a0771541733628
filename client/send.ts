import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, ErrorBody, takesIdempotencyKey } from '@innkeeper/contract/kit/endpoint'
import { toRequest } from '@innkeeper/contract/kit/request'

export interface Connection {
  /** Address of Innkeeper: `https://innkeeper.example`. */
  url: string
  /** An API token: `ink_…`. */
  token: string
  /** Attempts of one call, the first included. Default: 4. */
  attempts?: number
  fetch?: typeof fetch
}

export interface Options {
  signal?: AbortSignal | undefined
  /** Default for creating calls: a new key for each call, which all attempts share. */
  idempotencyKey?: string | undefined
}

/** A refused call. `status` is 0 if no answer came. `fields` has the messages of fields. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>
  /** The missing permissions of a 403, whose message has them in words. */
  readonly scopes: readonly string[]
  readonly requestId: string | undefined
  constructor(status: number, body: ErrorBody, cause?: unknown) {
    super([body.message].flat().join('\n'), { cause })
    this.status = status
    this.code = body.code
    this.fields = body.fields ?? {}
    this.scopes = body.scopes ?? []
    this.requestId = body.requestId
  }
}

const FIRST_MS = 500
/** The longest that a client waits because the server says so, in seconds. */
const LONGEST = 120

/**
 * Sends a call. Repeats the call if no answer came or Innkeeper was busy, and if that cannot do something twice: reads, and
 * creating calls, whose attempts share an `Idempotency-Key`. A call that was refused with 429 did nothing.
 */
export async function send(
  connection: Connection,
  endpoint: Endpoint,
  input: Record<string, unknown>,
  options: Options,
): Promise<unknown> {
  const { attempts = 4 } = connection
  const key = options.idempotencyKey ?? (takesIdempotencyKey(endpoint) ? randomUUID() : undefined)
  const isSafe = endpoint.effect === 'read' || key !== undefined
  for (let attempt = 1; ; attempt++) {
    const answer = await once(connection, endpoint, input, { ...options, idempotencyKey: key })
    if (!(answer instanceof Refused)) return answer.value
    const { error, retryAfter } = answer
    const isBusy = [0, 502, 503, 504].includes(error.status) || (error.status === 409 && retryAfter !== undefined)
    if (attempt >= attempts || !(error.status === 429 || (isBusy && isSafe))) throw error
    const usual = FIRST_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
    await sleep(retryAfter === undefined ? usual : Math.min(retryAfter, LONGEST) * 1000, undefined, {
      signal: options.signal,
    })
  }
}

class Refused {
  readonly error: ApiError
  readonly retryAfter: number | undefined
  constructor(error: ApiError, retryAfter?: number) {
    this.error = error
    this.retryAfter = retryAfter
  }
}

async function once(
  { url: base, token, fetch: ask = fetch }: Connection,
  endpoint: Endpoint,
  input: Record<string, unknown>,
  { signal, idempotencyKey }: Options,
): Promise<{ value: unknown } | Refused> {
  const { method, url, body, contentType } = toRequest(endpoint, input)
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${token}` })
  if (contentType) headers.set('content-type', contentType)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  let response: Response
  try {
    response = await ask(new URL(url, base), { method, headers, body: body ?? null, signal: signal ?? null })
  } catch (cause) {
    if (signal?.aborted) throw cause
    const why = cause instanceof Error && cause.cause instanceof Error ? `: ${cause.cause.message}` : ''
    return new Refused(new ApiError(0, { code: 'unreachable', message: `${base} cannot be reached${why}` }, cause))
  }
  if (response.ok) {
    if (response.status === 204) return { value: undefined }
    const isJson = response.headers.get('content-type')?.includes('json')
    return { value: isJson ? await response.json() : await response.blob() }
  }
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined)) // proxies answer errors in HTML
  const unknown = {
    message: `${base} answered ${response.status} ${response.statusText}`,
    code: String(response.status),
  }
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Refused(
    new ApiError(response.status, parsed.success ? parsed.data : unknown),
    Number.isFinite(after) ? after : undefined,
  )
}
