export interface Placeholder {
  name: string
  /** Example value, for the preview and the character count. */
  example: string
}
export type Part = { text: string } | { name: string; known: Placeholder | undefined }

/** Splits a text at its placeholders, `{{name}}`. */
export function partsOf(text: string, placeholders: readonly Placeholder[]): Part[] {
  return text.split(/(\{\{[^{}]*\}\})/).flatMap((piece): Part[] => {
    const name = /^\{\{[^{}]*\}\}$/.test(piece) ? piece.slice(2, -2).trim() : undefined
    if (name === undefined) return piece ? [{ text: piece }] : []
    return [{ name, known: placeholders.find((one) => one.name === name) }]
  })
}

/** Names in the text that are no placeholders, each once. */
export const unknownIn = (text: string, placeholders: readonly Placeholder[]): string[] => [
  ...new Set(partsOf(text, placeholders).flatMap((part) => ('name' in part && !part.known ? [part.name] : []))),
]

/** The text with example values; unknown names stay as typed. */
export const filled = (text: string, placeholders: readonly Placeholder[]): string =>
  partsOf(text, placeholders)
    .map((part) => ('text' in part ? part.text : (part.known?.example ?? `{{${part.name}}}`)))
    .join('')
