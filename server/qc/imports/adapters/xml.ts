/** An element of a stream of XML, as XMPP restricts it: no comments, no DTD, no processing instructions. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: Element[]
  text: string
}

/** Maximum number of characters of one stanza. */
const MOST = 4 * 2 ** 20
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const decode = (text: string) =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, number?: string, name?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : number ? Number(number) : undefined
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    return entities[name ?? ''] ?? whole
  })
export const encode = (text: string): string =>
  text.replace(/[<>&"']/g, (sign) => `&${Object.entries(entities).find(([, one]) => one === sign)?.[0]};`)

const tag = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y

/** Returns a function that takes pieces of an XML stream, and calls `onStanza` with each complete child of the root. */
export function readerOf(onStanza: (stanza: Element) => void): (piece: string) => void {
  let rest = ''
  let open: Element[] = []
  return (piece) => {
    rest += piece
    let at = 0
    for (;;) {
      const next = rest.indexOf('<', at)
      if (next < 0) break
      if (rest.startsWith('<?', next)) {
        const end = rest.indexOf('?>', next)
        if (end < 0) break
        at = end + 2
        continue
      }
      tag.lastIndex = next
      const found = tag.exec(rest)
      if (!found) {
        if (rest.includes('>', next)) throw new Error('not XML')
        break
      }
      const top = open.at(-1)
      if (top) top.text += decode(rest.slice(at, next))
      at = tag.lastIndex
      const [, closes, name = '', attributes = '', isEmpty] = found
      if (closes) open = closed(open, name, onStanza)
      else {
        const element: Element = { name, attributes: attributesOf(attributes), children: [], text: '' }
        // the root stays open as long as the stream; a new one begins after TLS and after the sign-in
        if (name === 'stream:stream') open = [element]
        else {
          top?.children.push(element)
          open.push(element)
          if (isEmpty) open = closed(open, name, onStanza)
        }
      }
    }
    rest = rest.slice(at)
    if (rest.length > MOST) throw new Error('a stanza is too large')
  }
}

function closed(open: Element[], name: string, onStanza: (stanza: Element) => void): Element[] {
  const element = open.at(-1)
  if (element?.name !== name) throw new Error('not XML')
  const outer = open.slice(0, -1)
  if (outer.length === 1) {
    outer[0]!.children = [] // a stream has no end: do not collect its stanzas in memory
    outer[0]!.text = ''
    onStanza(element)
  }
  return outer
}

const attributesOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', one, other]) => [
      name,
      decode(one ?? other ?? ''),
    ]),
  )

export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)
