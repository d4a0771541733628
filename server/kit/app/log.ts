import pino, { type DestinationStream, type Logger } from 'pino'

const secret = ['password', 'token', 'jwt', 'credential', 'authorization']

/**
 * What happened, without the values that it happened with: Drizzle and pg put those of a failed statement into message,
 * stack and detail.
 */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : `thrown: ${typeof error}` }
  const query = 'query' in error && typeof error.query === 'string' ? error.query : undefined
  const message = query === undefined ? error.message : `Failed query: ${query}`
  return {
    type: error.name,
    message,
    ...('code' in error && { code: error.code }),
    ...('constraint' in error && { constraint: error.constraint }),
    stack: error.stack?.replace(error.message, message),
    ...(error.cause !== undefined && { cause: errorOf(error.cause) }),
  }
}

/** Lines go out together: a write of its own for each was a sixteenth of what a short call costs. At exit all of them do. */
const errorOutput = () => pino.destination({ dest: 2, minLength: 16_000, periodicFlush: 100 })

/** JSON lines on standard error, within 100 ms; tokens and passwords never get into one. */
export function openLog(level: string, to: DestinationStream = errorOutput()): Logger {
  const serializers = { err: errorOf }
  const redact = secret.flatMap((name) => [name, `*.${name}`])
  const log = pino({ level, redact, serializers, base: { app: 'innkeeper' } }, to)
  return Object.assign(log, { serializers }) // where Fastify looks before it puts in its own
}
