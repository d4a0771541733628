export interface Part {
  /** Offset in the text. */
  at: number
  text: string
  href?: string
}

const address = /\bhttps?:\/\/[^\s<>"']+/gi

/** Splits text at http and https addresses; excludes a full stop or bracket at the end of an address. */
export function splitLinks(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const match of text.matchAll(address)) {
    const found = trimEnd(match[0])
    if (!URL.canParse(found)) continue
    if (match.index > from) parts.push({ at: from, text: text.slice(from, match.index) })
    parts.push({ at: match.index, text: found, href: found })
    from = match.index + found.length
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from) })
  return parts
}

function trimEnd(found: string): string {
  let surplus = found.split(')').length - found.split('(').length
  let end = found.length
  for (; end > 0; end--) {
    const last = found.charAt(end - 1)
    if (last === ')' && surplus > 0) surplus--
    else if (!'.,;:!?'.includes(last)) break
  }
  return found.slice(0, end)
}
