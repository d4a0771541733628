import type { OperationInput } from '@innkeeper/contract/agent'
import type { PoolKey } from '../php/phpPoolFile.ts'

export type Site = OperationInput<'nginx-site.ensure'>
export type State = Site['state']

/** The pool of PHP that a website is run by: its account's, or its own. */
export const poolOf = ({ username, phpVersion, own }: Pick<Site, 'username' | 'phpVersion' | 'own'>): PoolKey => ({
  username,
  phpVersion,
  website: own?.pool,
})

/** What this server answers to itself about a website: proof that the right file is live. */
export const markPath = '/.well-known/innkeeper'
export const mark = ({ domain, state }: Pick<Site, 'domain' | 'state'>) => `${domain} ${state}`

/** How each site file begins. */
export const head = (state: State) => `# Written by Innkeeper; what is changed here is written over.
# state: ${state}
`
/** The state that a site file was written for. */
export function stateIn(text: string): State | undefined {
  const [, state] = text.match(/^# state: (active|suspended|maintenance|moving|moved)$/m) ?? []
  return state as State | undefined // the pattern has only these
}

/** Seconds after which a visitor may ask again. */
export const retryAfter = { suspended: 3600, maintenance: 5, moving: 5 }

/** MiB that a visitor may send to a website. */
export const bodyMb = ({ own }: Pick<Site, 'own'>) => own?.bodyMb ?? 64

/** The server that a website has moved to, as it stands in an address. */
export function movedTo({ domain, movedTo }: Site): string {
  if (!movedTo) throw new Error(`${domain} has moved, and nobody says where to`)
  return movedTo.includes(':') ? `[${movedTo}]` : movedTo
}
