/** A further name of a website. */
export interface Alias {
  domain: string
  /** `redirect` answers 301 to the website's own name; anything else is served as the website. */
  mode: 'serve' | 'redirect' | null
}

/** All that a web server answers to for one website, beside its own name. */
export interface Names {
  aliases: string[]
  redirects: string[]
}

/** A name brings its `www.` along: all but a wildcard, and one that begins with it. */
export const wwwOf = (name: string): string[] => (/^(www|\*)\./.test(name) ? [] : [`www.${name}`])

/**
 * The names of a website with these aliases: each with its `www.`, but where that is a website or alias of its own
 * (`held`). No name is in it twice.
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
