/** An element with its attributes, and its children with the text between them. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}
const MOST_ELEMENTS = 200_000
const MOST_DEPTH = 60

/** Reads XML of somebody else: no entities but those of XML itself, no external files. Linear in its length. */
export function xmlIn(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let count = 0
  for (let at = 0; at < text.length; ) {
    const inner = open.at(-1) ?? root
    const tag = text.indexOf('<', at)
    inner.text += plain(text.slice(at, tag < 0 ? text.length : tag))
    if (tag < 0) break
    const [skip, isContent] = beside(text, tag)
    if (skip !== undefined) {
      if (isContent) inner.text += text.slice(tag + CDATA.length, skip - 3)
      at = skip
      continue
    }
    const end = closing(text, tag)
    if (end < 0) throw new Error('it breaks off within a tag')
    const isEnd = text[tag + 1] === '/'
    const isWhole = text[end - 1] === '/'
    if (isEnd) {
      if (open.length > 1) open.pop()
    } else {
      if (++count > MOST_ELEMENTS) throw new Error('it has too many elements')
      const made = elementIn(text.slice(tag + 1, isWhole ? end - 1 : end))
      inner.children.push(made)
      if (!isWhole && open.push(made) > MOST_DEPTH) throw new Error('its elements are too deep')
    }
    at = end + 1
  }
  return root
}

const CDATA = '<![CDATA['

/** Where a comment, a declaration or plain content ends; undefined for a tag. */
function beside(text: string, at: number): [number | undefined, boolean] {
  const after = (end: string): number => {
    const found = text.indexOf(end, at)
    return found < 0 ? text.length : found + end.length
  }
  if (text.startsWith('<!--', at)) return [after('-->'), false]
  if (text.startsWith(CDATA, at)) return [after(']]>'), true]
  return text[at + 1] === '?' || text[at + 1] === '!' ? [after('>'), false] : [undefined, false]
}

/** The end of a tag: an attribute may have the sign, too. */
function closing(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const c = text[at] ?? ''
    if (quote) {
      if (c === quote) quote = ''
    } else if (c === '"' || c === "'") quote = c
    else if (c === '>') return at
  }
  return -1
}

function elementIn(tag: string): XmlElement {
  const name = /^[^\s/]{0,100}/.exec(tag)?.[0] ?? ''
  const attributes: Record<string, string> = {}
  for (let at = name.length; at < tag.length; ) {
    const equals = tag.indexOf('=', at)
    if (equals < 0) break
    const quote = tag.slice(equals + 1).search(/\S/)
    const from = equals + 1 + quote
    const sign = tag[from] ?? ''
    const to = quote < 0 || (sign !== '"' && sign !== "'") ? -1 : tag.indexOf(sign, from + 1)
    if (to < 0) break
    attributes[tag.slice(at, equals).trim()] = plain(tag.slice(from + 1, to))
    at = to + 1
  }
  return { name, attributes, children: [], text: '' }
}

const signs: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const plain = (text: string) =>
  text.includes('&')
    ? text.replace(
        /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));/g,
        (whole, hex?: string, number?: string, name = '') => {
          const code = hex ? Number.parseInt(hex, 16) : number ? Number(number) : undefined
          if (code === undefined) return signs[name] ?? whole
          return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
        },
      )
    : text

/** The elements of this name directly in another. */
export const within = (element: XmlElement | undefined, ...path: string[]): XmlElement[] =>
  path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
    element ? [element] : [],
  )

/** A value that is an attribute in one version and an element in another. */
export const settingOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes[name] ?? (within(element, name)[0]?.text.trim() || undefined)

/** All elements of this name, wherever they are. */
export function everywhere(root: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = []
  const open = [root]
  for (let one = open.pop(); one; one = open.pop()) {
    if (one.name === name) found.push(one)
    for (const child of one.children.toReversed()) open.push(child)
  }
  return found
}
