import { isIP } from 'node:net'
import { kinds } from './grammar.ts'
import { only, type Rule, rule, word } from './rule.ts'

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'

/** Rules for API fields that do not reach servers: `id` is an id or version of a row, `line` a text of people. */
export type ApiKind = Rule['kind'] | 'id' | 'line'
export interface ApiRule {
  kind: ApiKind
  read(value: unknown): string | undefined
}

/** A number or its digits, as forms and queries send it. */
const number = (min: number, max: number, kind: ApiKind = 'whole'): ApiRule => ({
  kind,
  read(value) {
    const sign = typeof value === 'string' && value.startsWith('-') ? '-' : ''
    const plain = typeof value === 'string' ? value.slice(sign.length) : ''
    const typed = only(plain, digits) && plain.length <= 16 ? Number(`${sign}${plain}`) : value
    return Number.isSafeInteger(typed) && Number(typed) >= min && Number(typed) <= max ? `${typed}` : undefined
  },
})
const row = number(1, 2 ** 31 - 1, 'id')
/** Control characters C0, DEL and C1, not allowed on one line. */
const controls = (text: string) => [...text].some((c) => c < ' ' || (c >= '\x7f' && c <= '\x9f'))
const line = (max: number, orNull = false): ApiRule => ({
  kind: 'line',
  read(value) {
    if (value === null && orNull) return 'null'
    if (typeof value !== 'string') return undefined
    const text = value.trim()
    return text.length > 0 && [...text].length <= max && !controls(text) ? text : undefined
  },
})
const hostName = rule('domain', (typed) => {
  const text = typed.trim()
  const good = only(text, `${lower}${digits}-`) && lower.includes(text.slice(0, 1)) && !text.endsWith('-')
  return good && text.length >= 2 && text.length <= 63 ? text : undefined
})
const address = (orNull: boolean): ApiRule => ({
  kind: 'line',
  read: (value) =>
    (value === null && orNull) || (typeof value === 'string' && isIP(value) && !value.includes('%'))
      ? `${value}`
      : undefined,
})
const yes: ApiRule = { kind: 'word', read: (value) => (typeof value === 'boolean' ? `${value}` : undefined) }
/** Id or name of a row. */
const named: ApiRule = {
  kind: 'id',
  read: (value) => (typeof value === 'number' ? row.read(value) : line(80).read(value)),
}
const services = 'nginx php-fpm powerdns mariadb postgresql postfix dovecot pure-ftpd redis restic'.split(' ')
const types = 'web dns database mail cdn xdn backup all-in-one adopted'.split(' ')

/** Names of actions: no hostile value is one, so only an empty list may be accepted. */
const emptyList: ApiRule = {
  kind: 'word',
  read: (value) => ([value].flat(2).every((one) => typeof one === 'string' && /^,*$/.test(one)) ? 'none' : undefined),
}

/**
 * Rules by `domain.call.field`, otherwise by the name of the field, in lists too. Fields without a rule may have any
 * value.
 */
const rules: Record<string, ApiRule | undefined> = {
  domain: kinds.domain,
  'websites.plan.domain': undefined, // answers problems as text while people type
  'websites.remove.excludeActions': emptyList,
  'websites.purge.domain': kinds.served,
  systemUser: kinds.account,
  'websites.plan.systemUser': undefined,
  username: kinds.account,
  phpVersion: kinds.version,
  phpVersions: kinds.version,
  ...{ originServer: row, userId: row, ownerId: row, planId: row, groupId: row, mainWebsite: row, ids: row },
  ...{ newOwner: row, id: row, plan: named, version: number(1, Number.MAX_SAFE_INTEGER, 'id') },
  'workflows.update.version': undefined,
  'websites.updateAction.version': undefined,
  ...{ name: line(80), note: line(300), externalId: line(80), reason: line(300) },
  'owners.create.name': line(120),
  'servers.create.name': hostName,
  'servers.update.name': hostName,
  'servers.update.note': line(300, true),
  'servers.create.address': address(false),
  'servers.update.address': address(true),
  'workflows.update.reason': undefined,
  'websites.updateAction.reason': undefined,
  ...{
    acceptsNew: yes,
    force: yes,
    services: word(...services),
    type: word(...types),
    webServer: word('nginx', 'apache'),
    exceeding: word('keep'),
  },
  websiteEnvironment: word('production', 'staging', 'development'),
  status: word('active', 'suspended'),
  'servers.status.status': {
    kind: 'word',
    read: (value) => (typeof value === 'string' && /^(up|down)$/i.test(value) ? value : undefined),
  },
  'workflows.update.status': undefined,
  'databases.createUser.databases': undefined,
  'databases.updateUser.databases': undefined,
  'websites.updateAction.status': undefined,
  actionType: word('retry', 'retry-from', 'skip', 'done', 'rollback', 'resume'),
  diskMb: number(64, 16_777_216),
  memoryMb: number(64, 1_048_576),
  cpuPercent: number(5, 12_800),
  tasks: number(16, 65_536),
  websites: number(1, 10_000),
  databases: number(0, 10_000),
  mailboxes: number(0, 100_000),
  ftpUsers: number(0, 10_000),
  mailHourly: number(1, 100_000),
  mailTogether: number(1, 100_000),
}
export function ruleOf(call: string, field: string): ApiRule | undefined {
  const own = `${call}.${field}`
  return Object.hasOwn(rules, own) ? rules[own] : Object.hasOwn(rules, field) ? rules[field] : undefined
}
