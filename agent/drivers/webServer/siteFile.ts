import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Application } from '@innkeeper/contract/net/originVhosts/applications'
import type { PoolKey } from '../php/phpPoolFile.ts'

export type Site = OperationInput<'nginx-site.ensure'>
export type State = Site['state']

/** The PHP pool of a website: its account's, or its own. */
export const poolOf = ({ username, phpVersion, own }: Pick<Site, 'username' | 'phpVersion' | 'own'>): PoolKey => ({
  username,
  phpVersion,
  website: own?.pool,
})

/** The web server answers this path on loopback, which proves that it serves the right file. */
export const markPath = '/.well-known/innkeeper'
export const mark = ({ domain, state }: Pick<Site, 'domain' | 'state'>) => `${domain} ${state}`

/** The head of a site file. */
export const head = (state: State) => `# Written by Innkeeper. Changes are overwritten.
# state: ${state}
`
/** The state in a site file. */
export function stateIn(text: string): State | undefined {
  const [, state] = text.match(/^# state: (active|suspended|maintenance|moving|moved)$/m) ?? []
  return state as State | undefined // the pattern has only these
}

/** Retry-After, in seconds. */
export const retryAfter = { suspended: 3600, maintenance: 5, moving: 5 }

/**
 * Least limit of a request body, in MiB, of applications that upload files in large parts. Nextcloud sends parts of 100 MiB as
 * plain bodies, to which the upload limit of PHP does not apply.
 */
const leastBody: Partial<Record<Application, number>> = { nextcloud: 512 }

/** The limit of a request body in MiB. */
export const bodyMb = (site: Pick<Site, 'own' | 'rules'>) =>
  Math.max(site.own?.bodyMb ?? 64, (site.rules && leastBody[site.rules.application]) ?? 0)

/** The address of the new server, in URL form. */
export function movedTo({ domain, movedTo }: Site): string {
  if (!movedTo) throw new Error(`${domain} has moved, but its new server is missing`)
  return movedTo.includes(':') ? `[${movedTo}]` : movedTo
}
