import pino, { type DestinationStream, type Logger } from 'pino'

const secret = ['password', 'token', 'jwt', 'credential', 'authorization']

/** Describes an error without statement values: Drizzle and pg put them into message, stack and detail. */
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

/** Buffers lines, because a write per line cost a sixteenth of a short call. Remaining lines are written at exit. */
const errorOutput = () => pino.destination({ dest: 2, minLength: 16_000, periodicFlush: 100 })

/** Writes JSON lines to standard error within 100 ms. Tokens and passwords are never logged. */
export function openLog(level: string, to: DestinationStream = errorOutput()): Logger {
  const serializers = { err: errorOf }
  const redact = secret.flatMap((name) => [name, `*.${name}`])
  const log = pino({ level, redact, serializers, base: { app: 'innkeeper' } }, to)
  return Object.assign(log, { serializers }) // Fastify reads serializers here before it adds its own
}
