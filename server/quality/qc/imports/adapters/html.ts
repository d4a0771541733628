import { Tokenizer } from 'htmlparser2'

/** Maximum number of characters of HTML that are read. The rest is left out, as of a message that is too long. */
const MOST = 500_000
const hidden = new Set(['script', 'style', 'title'])
const breaking = new Set([
  ...['br', 'p', 'div', 'li', 'ul', 'ol', 'tr', 'table', 'blockquote', 'pre', 'hr'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'article', 'header', 'footer'],
])

const nothing = () => {}

/**
 * The text of an HTML mail. Callers show the result as text and never render it as HTML. Reads tokens and builds no tree,
 * so that neither time nor memory depends on what the tags enclose.
 */
export function textOfHtml(whole: string): string {
  const html = whole.slice(0, MOST).toWellFormed()
  const parts: string[] = []
  let inside: string | undefined
  const add = (text: string) => void (inside === undefined && parts.push(text))
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const breakAt = (name: string) => void (breaking.has(name) && add('\n'))
  const reader = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => add(html.slice(start, end).replace(/[ \t\r\n]+/g, ' ')),
      ontextentity: (code) => add(String.fromCodePoint(code === NBSP ? SPACE : code)),
      onopentagname(start, end) {
        const name = nameAt(start, end)
        if (inside === undefined && hidden.has(name)) inside = name
        else if (name === 'br' || name === 'hr') add('\n')
      },
      onclosetag(start, end) {
        const name = nameAt(start, end)
        if (name === inside) inside = undefined
        else breakAt(name)
      },
      onattribdata: nothing,
      onattribend: nothing,
      onattribentity: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  )
  reader.write(html)
  reader.end()
  return parts
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
const [NBSP, SPACE] = [160, 32]
