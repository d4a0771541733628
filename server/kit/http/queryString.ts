/** `ids[]=1&ids[]=2`, `ids=1&ids=2` → a list; `filters[key]=value` → a key; a repeated key is a list. */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const key = name.replace(/^filters\[(\w+)\]/, '$1').replace(/\[\]$/, '')
    const known = query[key]
    if (known === undefined) query[key] = name.endsWith('[]') ? [value] : value
    else query[key] = [known, value].flat()
  }
  return query
}
