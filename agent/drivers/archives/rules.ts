/** Where members of an archive go. Paths of members in an archive within the archive begin with its name, without its ending. */
export type Rule =
  | { kind: 'site'; site: string; to: string }
  | { kind: 'mail'; domain: string; account: string }
  | { kind: 'dump'; database: string }
  /** Read by the look alone. */
  | { kind: 'record' }
  | { kind: 'skip'; what: string; why: string }

export type Placed = { rule: Rule; within: string } | undefined

/** Rules by the path of a folder or file. The longest path decides. */
export class Rules {
  readonly #by: Map<string, Rule>

  constructor(rules: Iterable<readonly [string, Rule]>) {
    this.#by = new Map(rules)
  }

  of(path: string): Placed {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const rule = this.#by.get(path.slice(0, end))
      if (rule) return { rule, within: path.slice(end + 1) }
    }
    const all = this.#by.get('')
    return all && { rule: all, within: path }
  }

  entries(): [string, Rule][] {
    return [...this.#by]
  }
}
