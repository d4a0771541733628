/** The first `most` names for a sentence, and the number of the others: `a, b and 3 more`. */
export const namesText = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`
