import { covers, readName } from '@innkeeper/contract/ssl'
import type { Site } from '../websites/steps.ts'

export { covers }

/** Suffixes of two labels below which people register: what authorities count by is the label before them. */
const DOUBLE = /^(?:ac|co|com|edu|gov|gob|gv|ltd|me|net|nom|or|org|plc|sch|ne|go)\.[a-z]{2}$/

/** The domain that was registered for a name, as far as it can be told without the public suffix list. */
export function registeredDomain(name: string): string {
  const labels = name.replace(/^\*\./, '').split('.')
  return labels.slice(DOUBLE.test(labels.slice(-2).join('.')) ? -3 : -2).join('.')
}

interface Wish {
  extraNames: readonly string[]
  vhostAliases: boolean
}

/** What an authority has to be convinced of, and what is left out where it is not. */
export interface Wanted {
  /** The website's own name and those that somebody typed. */
  required: string[]
  /** Names that came by themselves: `www.` and aliases. */
  others: string[]
}

/** What a certificate of a website is for now. A name that a wildcard of it covers is not asked for twice. */
export function wantedNames(site: Pick<Site, 'domain' | 'aliases' | 'redirects'>, wish: Wish): Wanted {
  const required = [...new Set([site.domain, ...wish.extraNames])]
  const wildcards = required.filter((name) => name.startsWith('*.'))
  const isNew = (name: string) => !required.includes(name) && !covers(wildcards, name)
  const served = wish.vhostAliases
    ? [...site.aliases, ...site.redirects]
    : site.aliases.filter((name) => name === `www.${site.domain}`)
  return {
    required: required.filter((name) => name === site.domain || name.startsWith('*.') || !covers(wildcards, name)),
    others: [...new Set(served.filter(isNew))],
  }
}

/** The names that somebody typed for a website, and what is wrong with them. */
export function readNames(typed: readonly string[], domain: string): { names: string[]; problem?: string } {
  const names: string[] = []
  for (const text of typed) {
    const name = readName(text, domain)
    if (!name) return { names, problem: `${text} is not a name` }
    if (name !== domain && !names.includes(name)) names.push(name)
  }
  return { names }
}

/** The names that visitors may come by and this certificate is for. */
export const shownNames = (site: Pick<Site, 'domain' | 'aliases' | 'redirects'>, names: readonly string[]): string[] =>
  [site.domain, ...site.aliases, ...site.redirects].filter((name) => covers(names, name))

/** Names below the old one of a website are below the new one once it is renamed. */
export const renamedNames = (names: readonly string[], from: string, to: string): string[] =>
  names.map((name) => (name.endsWith(`.${from}`) ? `${name.slice(0, -from.length)}${to}` : name))
