/**
 * `ids[]=1&ids[]=2`, `ids=1&ids=2` → a list; `filters[key]=value` → a key; a repeated key is a list. `filters` names the
 * keys that were sent as filters, so that a call can refuse an unknown one.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const filter = /^filters\[([^\]]+)\]/.exec(name)?.[1]
    if (filter !== undefined) query.filters = [query.filters ?? [], filter].flat()
    const key = filter ?? name.replace(/\[\]$/, '')
    const known = query[key]
    if (known === undefined) query[key] = name.endsWith('[]') ? [value] : value
    else query[key] = [known, value].flat()
  }
  return query
}
