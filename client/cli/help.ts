import type { Command } from './calls.ts'
import { commandsOf, domains, kebab } from './calls.ts'
import { fieldsOf, typeText } from './fields.ts'

const aligned = (lines: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

export const usage = (): string => `innkeeper <what> <command> [<id or name>] [--field value …]

Examples
  innkeeper login --url https://innkeeper.example
  innkeeper websites list --server web-3 --json
  innkeeper websites create --server web-3 --owner Kari --plan Business --domain shop.example --wait
  innkeeper websites move shop.example --server web-4 --wait

What
${domains()
  .toSorted()
  .map((name) => `  ${name}`)
  .join('\n')}

Also
${aligned([
  ['login, logout, whoami', 'the token, in a file that only you can read; or INNKEEPER_URL and INNKEEPER_TOKEN'],
  ['completion bash|zsh', 'prints a script for your shell'],
  ['exit-codes', 'prints the exit codes'],
])}

Options of every command
${aligned([
  ['--json', 'prints the answer as JSON'],
  ['--wait', 'follows the workflow that the command starts'],
  ['--all', 'reads all pages of a list'],
  ['--columns a,b', 'chooses the columns of a table'],
  ['--data {…}', 'the fields as JSON; - reads standard input'],
  ['--idempotency-key k', 'makes a repeated creation create once'],
])}
`

export const helpOfDomain = (domain: string): string =>
  `innkeeper ${domain} <command>\n\n${aligned(commandsOf(domain))}\n`

export function helpOf({ domain, name, endpoint }: Command): string {
  const fields = fieldsOf(endpoint)
  const places = fields.filter(({ place }) => place === 'path').map((field) => `<${kebab(field.name)}>`)
  const options = fields.filter(({ place }) => place !== 'path')
  const needs = [endpoint.access].flat().join(' and ')
  return `innkeeper ${[kebab(domain), kebab(name), ...places].join(' ')}${options.length ? ' [--field value …]' : ''}

${endpoint.spec.summary}
Needs ${needs}. ${endpoint.method} /api${endpoint.path}
${options.length ? `\n${aligned(options.map((field) => [`--${kebab(field.name)}`, `${typeText(field)}${field.isRequired ? ', required' : ''}`]))}\n` : ''}`
}
