export interface Placeholder {
  name: string
  /** What it becomes, as an example: for the preview, and for the count of characters. */
  example: string
}
export type Part = { text: string } | { name: string; known: Placeholder | undefined }

/** A text cut at its placeholders, `{{name}}`. */
export function partsOf(text: string, placeholders: readonly Placeholder[]): Part[] {
  return text.split(/(\{\{[^{}]*\}\})/).flatMap((piece): Part[] => {
    const name = /^\{\{\s*(.*?)\s*\}\}$/.exec(piece)?.[1]
    if (name === undefined) return piece ? [{ text: piece }] : []
    return [{ name, known: placeholders.find((one) => one.name === name) }]
  })
}

/** The names that stand in a text and are none of `placeholders`, each once. */
export const unknownIn = (text: string, placeholders: readonly Placeholder[]): string[] => [
  ...new Set(partsOf(text, placeholders).flatMap((part) => ('name' in part && !part.known ? [part.name] : []))),
]

/** The text with examples in place; an unknown name stays as it was typed. */
export const filled = (text: string, placeholders: readonly Placeholder[]): string =>
  partsOf(text, placeholders)
    .map((part) => ('text' in part ? part.text : (part.known?.example ?? `{{${part.name}}}`)))
    .join('')
