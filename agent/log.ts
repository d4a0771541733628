/** Writes one JSON line to standard output, for journald or a file. Callers must not pass secrets. */
export function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  about: Record<string, string | number | boolean> = {},
): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...about })}\n`)
}
