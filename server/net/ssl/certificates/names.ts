import { covers, readName } from '@innkeeper/contract/net/ssl/names'
import type { Site } from '../../../hosting/websites/siteSteps.ts'

export { covers }

/** Public suffixes of two labels: authorities count the label before them as the registered domain. */
const DOUBLE = /^(?:ac|co|com|edu|gov|gob|gv|ltd|me|net|nom|or|org|plc|sch|ne|go)\.[a-z]{2}$/

/** The registered domain of a name, guessed without the public suffix list. */
export function registeredDomain(name: string): string {
  const labels = name.replace(/^\*\./, '').split('.')
  return labels.slice(DOUBLE.test(labels.slice(-2).join('.')) ? -3 : -2).join('.')
}

interface RequestedNames {
  extraNames: readonly string[]
  vhostAliases: boolean
}

/** The names of an order. */
export interface Wanted {
  /** The website's domain and the names that somebody entered: the order fails without them. */
  required: string[]
  /** Names added automatically (`www.` and aliases): left out when they cannot be validated. */
  others: string[]
}

/** The names that a website's certificate should cover now. A name covered by a wildcard among them is left out. */
export function wantedNames(site: Pick<Site, 'domain' | 'aliases' | 'redirects'>, requested: RequestedNames): Wanted {
  const required = [...new Set([site.domain, ...requested.extraNames])]
  const wildcards = required.filter((name) => name.startsWith('*.'))
  const isNew = (name: string) => !required.includes(name) && !covers(wildcards, name)
  const served = requested.vhostAliases
    ? [...site.aliases, ...site.redirects]
    : site.aliases.filter((name) => name === `www.${site.domain}`)
  return {
    required: required.filter((name) => name === site.domain || name.startsWith('*.') || !covers(wildcards, name)),
    others: [...new Set(served.filter(isNew))],
  }
}

/** The names to order without those that failed. Authorities refuse a name beside a wildcard that covers the name. */
export function orderedNames({ required, others }: Wanted, failed: readonly { name: string }[] = []): string[] {
  const left = [...new Set([...required, ...others])].filter((name) => !failed.some((one) => one.name === name))
  const wildcards = left.filter((name) => name.startsWith('*.'))
  return left.filter((name) => name.startsWith('*.') || !covers(wildcards, name))
}

/** Parses the extra names that somebody entered for a website; returns the first problem. */
export function readNames(typed: readonly string[], domain: string): { names: string[]; problem?: string } {
  const names: string[] = []
  for (const text of typed) {
    const name = readName(text, domain)
    if (!name) return { names, problem: `${text} is not a name` }
    if (name !== domain && !names.includes(name)) names.push(name)
  }
  return { names }
}

/** The names of the website that the certificate covers. */
export const shownNames = (site: Pick<Site, 'domain' | 'aliases' | 'redirects'>, names: readonly string[]): string[] =>
  [site.domain, ...site.aliases, ...site.redirects].filter((name) => covers(names, name))

/**
 * The names to request after a rename: those below the old domain move below the new one, except those that stay. Names
 * that stay are requested by themselves where only a wildcard or an alias of the old domain covered them.
 */
export function renamedNames(
  { names, extraNames }: { names: readonly string[]; extraNames: readonly string[] },
  from: string,
  to: string,
  staying: readonly string[],
): string[] {
  const moved = extraNames.map((name) =>
    name.endsWith(`.${from}`) && !staying.includes(name) ? `${name.slice(0, -from.length)}${to}` : name,
  )
  return [...moved, ...staying.filter((name) => covers(names, name) && !covers(moved, name))]
}
