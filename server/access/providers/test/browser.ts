/** A browser that follows redirects between Innkeeper and a provider, with one jar of cookies for the host of both. */
export class Browser {
  readonly #jar = new Map<string, string>()

  get cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async fetch(url: string, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { 'sec-fetch-mode': 'navigate', cookie: this.cookie, ...headers },
    })
    for (const one of answer.headers.getSetCookie()) {
      const [pair = ''] = one.split(';')
      const at = pair.indexOf('=')
      if (/Max-Age=0|1970/.test(one)) this.#jar.delete(pair.slice(0, at))
      else this.#jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }

  /** Opens an address and follows redirects up to the sign-in page. Returns all visited addresses, the last one last. */
  async follow(url: string): Promise<string[]> {
    const visited = [url]
    for (let n = 0; n < 12; n++) {
      const here = visited.at(-1) ?? url
      if (here.includes('/login#')) return visited
      const answer = await this.fetch(here)
      const to = answer.headers.get('location')
      if (!to) throw new Error(`${here} answers ${answer.status}: ${(await answer.text()).slice(0, 500)}`)
      visited.push(new URL(to, here).href)
    }
    throw new Error(`too many redirects: ${visited.join('\n')}`)
  }

  /** As `follow`: the end of the sign-in, `signed-in=%2F` or `failed=state`. */
  async signIn(url: string): Promise<string> {
    return new URL((await this.follow(url)).at(-1) ?? '').hash.slice(1)
  }
}
