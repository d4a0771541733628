import { createClient } from '../index.ts'
import { pagesOf, type Row, rowsIn } from '../pages.ts'
import { ApiError, type Connection, send } from '../send.ts'
import { type Command, commandOf, commandsOf, kebab } from './calls.ts'
import { UsageError } from './exit.ts'
import { fieldNamed, fieldsOf, givenValue } from './fields.ts'
import { helpOf, helpOfDomain } from './help.ts'
import { idOf, nounOf } from './resolve.ts'
import { shown } from './table.ts'

export interface Terminal {
  out(text: string): void
  err(text: string): void
  stdin(): Promise<string>
}

interface Asked {
  positional: string[]
  options: Map<string, (string | true)[]>
}

/** Options of the command line itself, with or without a value. */
const switches = new Set(['json', 'wait', 'all', 'help'])

export function parsed(words: readonly string[]): Asked {
  const asked: Asked = { positional: [], options: new Map() }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, name, given] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/is.exec(word) ?? []
    if (name === undefined) {
      asked.positional.push(word)
      continue
    }
    const next = words[at + 1]
    const takesNext = given === undefined && !switches.has(name) && next !== undefined && !next.startsWith('--')
    if (takesNext) at++
    asked.options.set(name, [...(asked.options.get(name) ?? []), given ?? (takesNext ? next : true)])
  }
  return asked
}

/** Carries out a command of the contract: `websites list --server web-3`. */
export async function run(words: readonly string[], connect: () => Connection, terminal: Terminal): Promise<void> {
  const { positional, options } = parsed(words)
  const [domain = '', verb, ...places] = positional
  const known = commandsOf(domain)
  if (!known.length) throw new UsageError(`There is no ${domain}. See innkeeper help`)
  if (verb === undefined) return terminal.out(helpOfDomain(domain))
  const command = commandOf(domain, verb)
  if (!command) throw new UsageError(`${domain} has no ${verb}. It has ${known.map(([name]) => name).join(', ')}`)
  if (options.has('help')) return terminal.out(helpOf(command))
  const own = { json: take(options, 'json'), wait: take(options, 'wait'), all: take(options, 'all') }
  const columns = textOf(take(options, 'columns'))?.split(',')
  const idempotencyKey = textOf(take(options, 'idempotency-key'))
  const connection = connect()
  const input = await inputOf(command, { positional: places, options }, connection, terminal)
  const answer = await answered(command, input, connection, { isWhole: Boolean(own.all), idempotencyKey })
  if (answer instanceof Blob) process.stdout.write(Buffer.from(await answer.arrayBuffer()))
  else if (own.json) terminal.out(`${JSON.stringify(answer ?? null, null, 2)}\n`)
  else terminal.out(shown(answer, columns))
  if (own.wait) await waited(answer, connection, terminal)
}

function take(options: Asked['options'], name: string): (string | true)[] | undefined {
  const found = options.get(name)
  options.delete(name)
  return found
}
const textOf = (values: (string | true)[] | undefined): string | undefined =>
  typeof values?.at(-1) === 'string' ? String(values.at(-1)) : undefined

/** The fields of a call, from places, options and `--data`. Names of rows become their ids. */
async function inputOf(
  command: Command & { fixed: Record<string, string> },
  { positional, options }: Asked,
  connection: Connection,
  terminal: Terminal,
): Promise<Row> {
  const { domain, endpoint, fixed } = command
  const fields = fieldsOf(endpoint)
  const given = new Map<string, (string | true)[]>(Object.entries(fixed).map(([name, value]) => [name, [value]]))
  const data = textOf(take(options, 'data'))
  const input: Row = data === undefined ? {} : dataOf(data === '-' ? await terminal.stdin() : data)
  const places = fields.filter(({ place }) => place === 'path')
  // a call without a path takes what it is about first: websites backup shop.example
  const subject = places.length
    ? places
    : fields.filter(({ name }) => name === 'websiteId' || name === 'id').slice(0, 1)
  for (const [i, value] of positional.entries()) {
    const field = subject[i]
    if (!field) throw new UsageError(`${value} is too much. ${helpOf(command).split('\n')[0]}`)
    given.set(field.name, [value])
  }
  for (const [option, values] of options) given.set(fieldNamed(fields, option).name, values)
  for (const field of fields) {
    const texts = given.get(field.name)
    if (!texts) continue
    const { value, found } = await givenValue(field, texts)
    const noun = found ? undefined : nounOf(domain, field.name, endpoint)
    input[field.name] = noun && typeof value === 'string' ? await idOf(connection, noun, value) : value
  }
  check(fields, input)
  return input
}

function dataOf(text: string): Row {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // said below
  }
  throw new UsageError('--data takes a JSON object')
}

/** Refuses what the contract refuses, before anything is sent. Fields of `--data` that the call lacks would not be sent. */
function check(fields: ReturnType<typeof fieldsOf>, input: Row): void {
  const known = new Set(fields.map(({ name }) => name))
  const problems: Record<string, string> = Object.fromEntries(
    Object.keys(input)
      .filter((name) => !known.has(name))
      .map((name) => [name, 'This call has no such field']),
  )
  for (const { name, schema } of fields) {
    const result = schema.safeParse(input[name])
    if (!result.success) problems[name] = result.error.issues[0]?.message ?? 'Is not valid'
  }
  if (Object.keys(problems).length)
    throw new ApiError(400, { code: 'invalid', message: 'The command is not complete', fields: problems })
}

async function answered(
  { endpoint }: Command,
  input: Row,
  connection: Connection,
  { isWhole, idempotencyKey }: { isWhole: boolean; idempotencyKey: string | undefined },
): Promise<unknown> {
  if (!isWhole) return send(connection, endpoint, input, { idempotencyKey })
  if (!('after' in (endpoint.schemas.query?.shape ?? {}))) throw new UsageError('--all is for lists')
  const read = (page: object) => send(connection, endpoint, { itemsPerPage: 200, ...input, ...page }, {})
  return Array.fromAsync(pagesOf(read, rowsIn))
}

/** Follows the workflows that an answer names. */
async function waited(answer: unknown, connection: Connection, terminal: Terminal): Promise<void> {
  const client = createClient(connection)
  for (const id of workflowsIn(answer)) {
    let before = ''
    await client.waitFor(id, {
      onProgress({ title, subjectName, done, count, current, status, waitsFor }) {
        const now = `[${done}/${count}] ${title} ${subjectName}: ${current ?? waitsFor ?? status}`
        if (now !== before) terminal.err(`${now}\n`)
        before = now
      },
    })
  }
}

function workflowsIn(answer: unknown): number[] {
  if (typeof answer !== 'object' || answer === null) return []
  const {
    workflowId,
    workflowIds = [],
    data,
  } = answer as { workflowId?: unknown; workflowIds?: unknown; data?: unknown }
  const found = [workflowId, ...[workflowIds].flat()].filter((id): id is number => typeof id === 'number')
  return found.length ? found : workflowsIn(data)
}

/** An error as people read it, with the messages beside the options. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof ApiError)) return `${message}\n`
  const fields = Object.entries(error.fields).map(([name, text]) => `  --${kebab(name)}: ${text}\n`)
  const id = error.requestId ? `  Request ${error.requestId}\n` : ''
  const scopes = error.scopes.map((scope) => `  ${scope}\n`)
  return `${message}\n${scopes.join('')}${fields.join('')}${id}`
}
