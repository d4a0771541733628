import { contract } from '@innkeeper/contract/index'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'

/** `systemUsers` → `system-users`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** `system-users` → `systemUsers`. */
const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

export interface Command {
  domain: string
  name: string
  endpoint: Endpoint
}

/** What people expect to be called so. */
const synonyms: Record<string, string> = { get: 'one', show: 'one', delete: 'remove', rm: 'remove', ls: 'list' }
/** Commands of a noun whose calls stand in another domain. */
const elsewhere: Record<string, [domain: string, name: string]> = {
  'websites backup': ['backups', 'create'],
  'websites logs': ['websites', 'logLines'],
  'websites move': ['moves', 'create'],
  'websites suspend': ['websites', 'status'],
  'websites activate': ['websites', 'status'],
}
/** Fields that such a command has by itself. */
const fixed: Record<string, Record<string, string>> = {
  'websites suspend': { status: 'suspended' },
  'websites activate': { status: 'active' },
}

const all: Record<string, Record<string, Endpoint>> = contract

export const domains = (): string[] => Object.keys(all).map(kebab)

/** Names of the commands of a domain, with their summaries. */
export function commandsOf(domain: string): [name: string, summary: string][] {
  const own = Object.entries(all[camel(domain)] ?? {}).map(([name, { spec }]): [string, string] => [
    kebab(name),
    spec.summary,
  ])
  const more = Object.entries(elsewhere).flatMap(([words, [other, name]]): [string, string][] => {
    const [noun, verb = ''] = words.split(' ')
    return noun === domain ? [[verb, all[other]?.[name]?.spec.summary ?? '']] : []
  })
  return [...own, ...more]
}

/** The call of a command, and fields that the command sets; undefined if there is none. */
export function commandOf(domain: string, verb: string): (Command & { fixed: Record<string, string> }) | undefined {
  const words = `${domain} ${verb}`
  const [key, name] = elsewhere[words] ?? [camel(domain), undefined]
  const calls = Object.hasOwn(all, key) ? all[key] : undefined
  const wanted = name ?? camel(verb)
  const found = [wanted, synonyms[verb] ?? ''].find((one) => calls && Object.hasOwn(calls, one))
  const endpoint = found === undefined ? undefined : calls?.[found]
  return endpoint && found !== undefined ? { domain: key, name: found, endpoint, fixed: fixed[words] ?? {} } : undefined
}
