/** One JSON line to standard output: journald or a file keeps it. Callers name what they say; no value is a secret. */
export function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  about: Record<string, string | number | boolean> = {},
): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...about })}\n`)
}
