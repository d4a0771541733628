import { contract } from '@innkeeper/contract/index'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { rowsIn } from '../pages.ts'
import { type Connection, send } from '../send.ts'
import { MissingError, UsageError } from './exit.ts'

/** Domains whose rows people name in fields, by the noun in the name of the field. */
const nouns: Record<string, string> = {
  website: 'websites',
  server: 'servers',
  owner: 'owners',
  plan: 'plans',
  department: 'departments',
  role: 'roles',
  zone: 'dns',
  serviceaccount: 'serviceAccounts',
}
/** Fields that name another noun than they say: the user of a website is its owner. */
const special: Record<string, string> = { 'websites.userId': 'owners', 'websites.userid': 'owners' }
const names = ['name', 'domain', 'username', 'hostname']

/** The domain whose rows a field of a call names; undefined if it names none. `/websites/:id/alias` is about a website. */
export function nounOf(domain: string, field: string, { path }: Pick<Endpoint, 'path'>): string | undefined {
  if (field === 'id') return listedAt(path.split('/:id')[0] ?? '') ?? domain
  const own = special[`${domain}.${field}`]
  if (own) return own
  return Object.entries(nouns).find(([noun]) => field.toLowerCase().includes(noun))?.[1]
}

const listedAt = (path: string): string | undefined =>
  Object.entries<Record<string, Endpoint>>(contract).find(([, calls]) => calls.list?.path === path)?.[0]

/** The id of a row that somebody named: `shop.example` instead of 12. */
export async function idOf(connection: Connection, domain: string, name: string): Promise<number> {
  const calls: Record<string, Endpoint> | undefined = (contract as Record<string, Record<string, Endpoint>>)[domain]
  const list = calls?.list
  const shape = list?.schemas.query?.shape ?? {}
  const search = ['search', 'domain', 'name'].find((key) => key in shape)
  if (!list || !search) throw new UsageError(`${name} is no id`)
  const found = rowsIn(await send(connection, list, { [search]: name, itemsPerPage: 100 }, {})).filter(
    (row): row is { id: number } =>
      typeof row === 'object' &&
      row !== null &&
      'id' in row &&
      names.some((key) => (row as Record<string, unknown>)[key] === name),
  )
  const [only] = found
  if (found.length === 1 && only) return only.id
  if (!found.length) throw new MissingError(`There is none named ${name}`)
  throw new UsageError(`${name} is not unique: use its id`)
}
