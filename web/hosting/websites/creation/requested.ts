import type { PhpExtension } from '@innkeeper/contract/hosting/phpExtensions'
import { type PlannedAction, websiteFields, type websites } from '@innkeeper/contract/hosting/websites'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import { counted } from '../../../kit/look/format.ts'

/** Values of the form by the names of the call; undefined for no choice. */
export interface Requested {
  domain: string
  userId: number | undefined
  originServer: number | undefined
  plan: number | undefined
  groupId: number | undefined
  /** Empty: the suggested name. */
  systemUser: string
  /** Empty: the first version of the plan. */
  phpVersion: string
  /** PHP extensions that differ from those of the server. */
  extensionsOn: PhpExtension[]
  extensionsOff: PhpExtension[]
  websiteEnvironment: string
  /** Creates a MariaDB database. */
  database: boolean
  /** Creates a mail domain. */
  mail: boolean
  /** Creates DNS records in a zone of this installation. */
  dns: boolean
  /** Empty: no certificate. */
  certificate: '' | 'lets-encrypt' | 'self-signed'
  excludeActions: string[]
}
export const emptyForm: Requested = {
  domain: '',
  userId: undefined,
  originServer: undefined,
  plan: undefined,
  groupId: undefined,
  systemUser: '',
  phpVersion: '',
  extensionsOn: [],
  extensionsOff: [],
  websiteEnvironment: 'production',
  database: false,
  mail: false,
  dns: false,
  certificate: '',
  excludeActions: [],
}

const good = (schema: { safeParse: (value: unknown) => { success: boolean } }, text: string) =>
  text !== '' && schema.safeParse(text).success ? text : undefined

/** Input for the plan; omits incomplete values. */
export const toPlanInput = ({ userId, originServer, plan, ...requested }: Requested): Input<typeof websites.plan> => ({
  domain: good(websiteFields.domain, requested.domain),
  userId,
  originServer,
  plan,
  systemUser: good(websiteFields.systemUser, requested.systemUser),
  phpVersion: requested.phpVersion || undefined,
  extensionsOn: requested.extensionsOn.length ? requested.extensionsOn : undefined,
  extensionsOff: requested.extensionsOff.length ? requested.extensionsOff : undefined,
  database: requested.database || undefined,
  mail: requested.mail || undefined,
  dns: requested.dns || undefined,
  certificate: requested.certificate || undefined,
})

type Step = Pick<PlannedAction, 'name' | 'title' | 'serverName'>
/** "5 actions on web-osl-03, without probe" */
export function consequence(actions: readonly Step[], left: readonly string[]): string {
  const runs = actions.filter(({ name }) => !left.includes(name))
  const servers = [...new Set(runs.flatMap(({ serverName }) => serverName ?? []))]
  const without = actions.filter(({ name }) => left.includes(name)).map(({ title }) => title.toLowerCase())
  const where = servers.length === 1 ? ` on ${servers[0]}` : servers.length > 1 ? ` on ${servers.length} servers` : ''
  const less = without.length ? `, without ${without.join(', ')}` : ''
  return `${counted(runs.length, ['action', 'actions'])}${where}${less}`
}
