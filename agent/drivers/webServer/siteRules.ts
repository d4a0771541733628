import { type Application, USUAL } from '@innkeeper/contract/net/originVhosts/applications'
import { problemsOfRules } from '@innkeeper/contract/net/ownRules/judges'
import { problemsInWords } from '@innkeeper/contract/net/ownRules/problems'
import type { Site } from './siteFile.ts'
import type { WebServer } from './webServer.ts'

export const applicationOf = ({ rules }: Pick<Site, 'rules'>): Application => rules?.application ?? USUAL

/**
 * Names below a former name of a network of WordPress that has all names below its present one: shop.old.example leads to
 * shop.new.example.
 */
export function sentBelow(site: Pick<Site, 'domain' | 'aliases' | 'redirects' | 'rules'>): string[] {
  const hasAll = applicationOf(site) === 'wordpress-names' && site.aliases.includes(`*.${site.domain}`)
  const names = hasAll ? (site.redirects ?? []) : []
  return names.flatMap((name) => (name.startsWith('*.') ? [name.slice(2)] : []))
}

/** A pattern of the names below, but for `www`, which is that of the former name itself. */
export const patternBelow = (name: string) => `^((?!www\\.)[a-z0-9._-]+)\\.${name.replaceAll('.', '\\.')}`

/** The line above own rules in the file of a website, by which a message finds the line of the rules. */
const OWN = '  # own rules'

/** Own rules and the line above them; empty without rules. */
export const ownText = (text: string): string => (text ? `${OWN}\n${text}\n` : '')

/** Throws for own rules that are not of the allow-list: the control plane has checked them with its own version. */
export function refuseRules(web: WebServer, { domain, rules }: Pick<Site, 'domain' | 'rules'>): void {
  const why = rules && problemsInWords(problemsOfRules[web.name](rules.ownRules))
  if (why) throw new Error(`The rules of ${domain} are refused: ${why}`)
}

/** The line of own rules that is this line of a website's file; undefined above them. */
export function ownLineOf(text: string, line: number): number | undefined {
  const above = text.split('\n').slice(0, line).lastIndexOf(OWN) + 1
  return above && line > above ? line - above : undefined
}
