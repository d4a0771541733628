/** An element of a stream of XML, as XMPP restricts it: no comments, no DTD, no processing instructions. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: Element[]
  text: string
}

/** Maximum number of characters of one stanza, of the declaration before a stream, and of elements within each other. */
const [MOST, MOST_DECLARATION, DEEPEST] = [4 * 2 ** 20, 1000, 100]
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

/**
 * Returns a function that takes pieces of an XML stream, and calls `onStanza` with each complete child of the root. Keeps
 * only the beginning of a tag for the next piece, and reads on when the end of the tag has come: a stream in single
 * characters costs no more than one in a single piece.
 */
export function readerOf(onStanza: (stanza: Element) => void): (piece: string) => void {
  const open: Element[] = []
  let rest = ''
  let size = 0

  function end(name: string): void {
    const element = open.pop()
    if (element?.name !== name) throw new Error('not XML')
    element.text = decode(element.text)
    const [root] = open
    if (open.length !== 1 || !root) return
    root.children = [] // a stream has no end: do not collect its stanzas in memory
    root.text = ''
    size = rest.length
    onStanza(element)
  }

  function begin(name: string, attributes: string, isEmpty: boolean): void {
    const element: Element = { name, attributes: attributesOf(attributes), children: [], text: '' }
    // the root stays open as long as the stream; a new one begins after TLS and after the sign-in
    if (name === 'stream:stream') open.splice(0, open.length, element)
    else {
      if (open.length >= DEEPEST) throw new Error('elements are too deep within each other')
      open.at(-1)?.children.push(element)
      open.push(element)
      if (isEmpty) end(name)
    }
  }

  function say(text: string): void {
    const top = open.at(-1)
    if (top) top.text += text
  }

  return (piece) => {
    rest += piece
    size += piece.length
    if (size > MOST) throw new Error('a stanza is too large')
    if (rest.length > piece.length && !piece.includes('>')) return
    const text = rest
    let at = 0
    for (;;) {
      const next = text.indexOf('<', at)
      say(text.slice(at, next < 0 ? text.length : next))
      if (next < 0) break
      at = next
      if (text.startsWith('<?', next)) {
        const over = text.indexOf('?>', next)
        if (over < 0 && text.length - next > MOST_DECLARATION) throw new Error('not XML')
        if (over < 0) break
        at = over + 2
        continue
      }
      tag.lastIndex = next
      const found = tag.exec(text)
      if (!found) {
        if (text.includes('>', next)) throw new Error('not XML')
        break
      }
      at = tag.lastIndex
      rest = text.slice(at)
      const [, closes, name = '', attributes = '', isEmpty] = found
      if (closes) end(name)
      else begin(name, attributes, Boolean(isEmpty))
    }
    rest = text.indexOf('<', at) < 0 ? '' : text.slice(at)
  }
}

const attributesOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy)].map(([, name = '', one, other]) => [
      name,
      decode(one ?? other ?? ''),
    ]),
  )

export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)
