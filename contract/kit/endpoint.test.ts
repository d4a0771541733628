import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contract } from '../index.ts'
import { isPermission, permissions } from '../permissions/services.ts'
import { holds, missing } from './access.ts'
import { csv, del, filter, get, id, listQuery, patch, post, statusOf, version } from './endpoint.ts'
import { domain, sitePath, username } from './values.ts'

const entries = Object.values(contract).flatMap((calls) => Object.values(calls))

it.each([
  [z.object({ n: z.int().min(1).max(5) }), { n: 0 }, 'At least 1'],
  [z.object({ n: z.int().min(1).max(5) }), { n: 9 }, 'At most 5'],
  [z.object({ n: z.int() }), { n: 1.5 }, 'A whole number'],
  [z.object({ n: z.number().positive() }), { n: 0 }, 'More than 0'],
  [z.object({ n: z.string().min(1) }), { n: '' }, 'Required'],
  [z.object({ n: z.string().min(8) }), { n: 'x' }, 'At least 8 characters'],
  [z.object({ n: z.array(z.int()).max(1) }), { n: [1, 2] }, 'At most 1 entry'],
  [z.object({ n: z.enum(['web', 'mail']) }), { n: 'x' }, 'One of: web, mail'],
  [z.object({ n: z.enum(['web', 'mail']) }), {}, 'Required'],
  [z.object({ n: z.string() }), {}, 'Required'],
])('words for invalid fields, %#', (schema, value, message) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(message)
})

describe('the contract', () => {
  it('requires a permission of the catalogue for every call', () => {
    for (const { access, path } of entries) {
      if (access === 'public' || access === 'signedIn') continue
      for (const scope of [access].flat()) expect(isPermission(scope), `${path}: ${scope}`).toBe(true)
    }
  })
  it('does not compile a call without access or with an unknown permission', () => {
    const declared = [
      // @ts-expect-error: access is required
      () => get('/x', { summary: '' }),
      // @ts-expect-error: undefined is not an access
      () => get('/x', undefined, { summary: '' }),
      // @ts-expect-error: an empty list
      () => get('/x', [], { summary: '' }),
      // @ts-expect-error: not in the catalogue
      () => get('/x', 'website:website:owned', { summary: '' }),
      // @ts-expect-error: a pattern is not a permission
      () => get('/x', 'website:*:read', { summary: '' }),
      // @ts-expect-error: a list with an unknown permission
      () => get('/x', ['website:website:read', 'website:website:owned'], { summary: '' }),
    ]
    expect(declared).toHaveLength(6) // `npm run check` reports unused @ts-expect-error comments
  })
  it('declares each path and method only once', () => {
    const served = entries.flatMap(({ method, path, spec }) =>
      [path, ...(spec.aliases ?? [])].map((p) => `${method} ${p.replace(/:\w+/g, ':')}`),
    )
    expect(served.filter((call, i) => served.indexOf(call) !== i)).toEqual([])
  })
  it('gives each address to one call: a parameter refuses the word that stands in its place elsewhere', () => {
    const served = entries.flatMap(({ method, path, spec, schemas }) =>
      [path, ...(spec.aliases ?? [])].map((at) => ({ method, path: at, parts: at.split('/'), schemas })),
    )
    type Served = (typeof served)[number]
    const takes = ({ schemas }: Served, part: string, word: string) =>
      part.startsWith(':') ? schemas.params?.shape[part.slice(1)]?.safeParse(word).success : part === word
    const meet = (one: Served, other: Served) =>
      one.parts.every((part: string, n: number) => {
        const beside = other.parts[n] ?? ''
        if (!part.startsWith(':')) return takes(other, beside, part)
        return beside.startsWith(':') || takes(one, part, beside)
      })
    const shared = served.flatMap((one, n) =>
      served
        .slice(n + 1)
        .filter(({ method, parts }) => method === one.method && parts.length === one.parts.length)
        .filter((other) => meet(one, other))
        .map(({ path }) => `${one.method} ${one.path} and ${path}`),
    )
    expect(shared).toEqual([])
  })
  it('refuses a field that is in the query and in the body', () => {
    expect(() => post('/x', 'public', { summary: '', query: { a: id }, body: { a: id } })).toThrow(
      'is in the query and in the body',
    )
  })
  it('answers 201 for POST, 204 without a body, otherwise 200', () => {
    const returns = z.object({})
    expect(statusOf(post('/x', 'public', { summary: '', returns }))).toBe(201)
    expect(statusOf(del('/x', 'public', { summary: '' }))).toBe(204)
    expect(statusOf(get('/x', 'public', { summary: '', returns }))).toBe(200)
    expect(statusOf(patch('/x', 'public', { summary: '', returns, status: [202, 204] }))).toBeUndefined()
  })
})

describe('a whole number', () => {
  it('is also parsed from text', () => {
    expect(id.parse('12')).toBe(12)
    expect(version.parse(undefined)).toBeUndefined()
  })
  it.each([
    true,
    null,
    [5],
    ['5'],
    {},
    '',
    ' ',
    '0x10',
    '1e3',
    '1.5',
    1.5,
    0,
    -1,
    '2147483648',
  ])('is not %j', (value) => {
    expect(id.safeParse(value).success).toBe(false)
  })
})

/** Permissions beyond the specification, for calls that it does not name. */
const own = new Set([
  'operation:health:read',
  'operation:health:update',
  ...['collect', 'reset'].map((verb) => `config-restore:configs:${verb}`),
  ...['read', 'create', 'start', 'delete'].map((verb) => `archive-import:import:${verb}`),
  ...['create', 'delete'].map((verb) => `archive-import:link:${verb}`),
  ...[
    'database:query',
    'database:write',
    'database:replace',
    'database:import',
    'database:export',
    'connection:end',
    'login:create',
    'login:write',
    'orphan:adopt',
    'trash:restore',
  ].map((name) => `database:${name}`),
  ...['user:password', 'session:end', 'server:update'].map((name) => `ftp-user:${name}`),
  'dns:key:read',
  'vhost:origin:rules',
  'internal-ticket:ticket:delete',
  ...[
    'mailbox:update',
    'mailbox:move',
    'alias:update',
    'trace:read',
    'queue:read',
    'queue:update',
    'trash:restore',
  ].map((name) => `mailbox:${name}`),
  'backup:own:update',
  'backup:repo:copy',
  'sms:settings:update',
  ...['update', 'add-key', 'remove-key', 'password', 'remove-password'].map((verb) => `system-user:sftp:${verb}`),
  ...['chat', 'ticket'].map((noun) => `qa:${noun}:review-restore`),
  ...['read', 'create', 'update', 'delete'].map((act) => `qa:check:${act}`),
  'vhost:rule:update',
  ...['restore', 'purge'].map((verb) => `website:trash:${verb}`),
  ...['service-account', 'webhook'].flatMap((noun) =>
    ['read', 'create', 'update', 'delete'].map((verb) => `api:${noun}:${verb}`),
  ),
  ...['read', 'create', 'revoke'].map((verb) => `api:token:${verb}`),
  ...['read', 'update'].map((verb) => `users:provider:${verb}`),
  ...['read', 'grant', 'update'].map((verb) => `users:elevation:${verb}`),
  ...['read', 'create', 'decide'].map((verb) => `users:access-review:${verb}`),
])

describe('permissions', () => {
  it('are the 355 of the specification and ours, with three parts and unique labels', () => {
    const all = Object.entries(permissions)
    const ours = all.filter(([scope]) => own.has(scope))
    expect(ours).toHaveLength(own.size)
    expect(all).toHaveLength(355 + own.size)
    for (const [scope] of all) expect(scope).toMatch(/^[a-z-]+:[a-z-]+:[a-z-]+$/)
    expect(new Set(all.map(([, words]) => words)).size).toBe(all.length)
  })
  it('are all granted to an administrator', () => {
    expect(holds({ isAdmin: true, scopes: [] }, 'dns:zone:read')).toBe(true)
  })
  it('match an asterisk in the required permission only', () => {
    const held = { isAdmin: false, scopes: ['qa:chat:read', 'dns:*:read'] }
    expect(holds(held, 'qa:*:read')).toBe(true)
    expect(holds(held, 'qa:*:delete')).toBe(false)
    expect(holds(held, 'dns:zone:read')).toBe(false) // granted permissions have no wildcards
    expect(holds(held, 'qa.chat.read')).toBe(false)
    expect(holds({ isAdmin: false, scopes: ['qaXchat'] }, 'qa.*')).toBe(false)
  })
  it('are all required when a call lists several', () => {
    expect(
      missing({ isAdmin: false, scopes: ['a:b:c'] }, ['backup:backup:create', 'backup:schedule:create']),
    ).toHaveLength(2)
  })
})

describe('lists in queries', () => {
  const ids = z.object({ ids: filter(csv(id)) })
  it('accept a comma list, repeated keys and single values', () => {
    for (const sent of ['1,2', ['1', '2'], [1, '2']]) expect(ids.parse({ ids: sent }).ids).toEqual([1, 2])
    expect(ids.parse({ ids: '7' }).ids).toEqual([7])
    for (const sent of ['', ',,', [], ['', ',']]) expect(ids.parse({ ids: sent }).ids).toBeUndefined()
    expect(ids.safeParse({ ids: '1,x' }).success).toBe(false)
  })
  it('treat a page below 1 or none as page 1, and limit a page to 200 rows', () => {
    const query = z.object(listQuery(['name']))
    for (const page of [undefined, '', '0', '-3', '1.5']) expect(query.parse({ page }).page).toBe(1)
    expect(query.parse({ page: '7' })).toMatchObject({ page: 7, itemsPerPage: 25 })
    expect(query.safeParse({ itemsPerPage: '201' }).success).toBe(false)
    expect(query.safeParse({ direction: 'sideways' }).success).toBe(false)
  })
})

describe('values that reach a server', () => {
  it.each([
    'example.org',
    'a.co',
    'xn--bcher-kva.example',
    'shop.very-long.example.co.uk',
  ])('accepts the domain %s', (text) => {
    expect(domain.parse(text)).toBe(text)
  })
  it('converts an international name to ASCII', () => {
    expect(domain.parse(' Bücher.Example. ')).toBe('xn--bcher-kva.example')
  })
  it.each([
    '',
    'localhost',
    '-a.org',
    'a..org',
    'a_b.org',
    'a.org;',
    'a.org\nb',
    'a b.org',
    '../etc',
    '1.2.3.4',
    `${'a'.repeat(64)}.org`,
    'a.org/x',
    '*.a.org',
    'é@evil.org',
    'blå.ex#ample',
    'blå.ex\nample',
    'blå.org:80',
    'bl%61å.org',
  ])('refuses the domain %j', (text) => {
    expect(domain.safeParse(text).success).toBe(false)
  })
  it.each(['x;id', '../e', 'Root', '1a', 'a-b', 'a'.repeat(32), 'a\n', ''])('refuses the account %j', (text) => {
    expect(username.safeParse(text).success).toBe(false)
  })
  it.each([
    '/home/a/../b',
    '/etc/passwd',
    '/home/a/b c',
    '/home/a/b;',
    '/home/a/./b',
    '/home/a//b',
    '/home/a/b\n',
  ])('refuses the path %j', (text) => {
    expect(sitePath.safeParse(text).success).toBe(false)
  })
})
