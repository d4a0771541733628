const secret = /password|secret|token|credential|private.?key/i
const control = /(?![\n\t])\p{Cc}/gu

/** Of so few letters none is, and without them nobody could read what is said. */
const LEAST = 4

/** Takes the secrets of an input, by the names of its fields, out of what is said, and what jsonb refuses (NUL). */
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
