/** An additional name of a website. */
export interface Alias {
  domain: string
  /** `redirect` answers 301 to the website's own name; any other value serves the website. */
  mode: 'serve' | 'redirect' | null
}

/** Names that the web server answers for a website besides its own. */
export interface Names {
  aliases: string[]
  redirects: string[]
}

/** The `www.` name that is served with a name. Wildcards and names that begin with `www.` have none. */
export const wwwOf = (name: string): string[] => (/^(www|\*)\./.test(name) ? [] : [`www.${name}`])

/**
 * Names of a website with these aliases, without duplicates. Each includes its `www.` name unless that is a website or
 * alias of its own (`held`).
 */
export function namesOf(domain: string, aliases: readonly Alias[] = [], held: ReadonlySet<string> = new Set()): Names {
  const withWww = (name: string) => [name, ...wwwOf(name).filter((www) => !held.has(www))]
  const taken = new Set([domain])
  const fresh = (names: string[]) => names.filter((name) => !taken.has(name) && taken.add(name))
  const served = fresh([
    ...withWww(domain),
    ...aliases.filter(({ mode }) => mode !== 'redirect').flatMap(({ domain: name }) => withWww(name)),
  ])
  const redirects = aliases.filter(({ mode }) => mode === 'redirect').flatMap(({ domain: name }) => withWww(name))
  return { aliases: served, redirects: fresh(redirects) }
}

/** Every name under which a website answers, its own first. */
export const allNames = ({ domain, aliases, redirects }: Names & { domain: string }): string[] => [
  ...new Set([domain, ...aliases, ...redirects]),
]
