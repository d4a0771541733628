const secret = /password|secret|token|credential|private.?key/i
const control = /(?![\n\t])\p{Cc}/gu

/** Shorter values are not redacted: they are not secrets, and redacting them would make texts unreadable. */
const LEAST = 4

/** Removes the secrets of an input (found by field name) from texts, and characters that jsonb refuses, such as NUL. */
export function redactor(input: Record<string, unknown>): (text: string) => string {
  const secrets = secretsIn(input).toSorted((a, b) => b.length - a.length)
  return (text) =>
    secrets.reduce((said, value) => said.replaceAll(value, '•••'), text.replace(control, '')).toWellFormed()
}

function secretsIn(value: unknown, hidden = false): string[] {
  if (typeof value === 'string') return hidden && value.length >= LEAST ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, hidden || secret.test(key)))
}
