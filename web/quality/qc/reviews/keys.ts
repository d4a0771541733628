/** Every key of the review, as the screen lists them. */
export const reviewKeys = [
  ['1 – 9', 'Give a grade, next score type'],
  ['0', 'N/A'],
  ['C', 'Comment on the score type'],
  ['Alt ↑ ↓', 'Previous, next score type'],
  ['A', 'Next agent, of several'],
  ['M', 'To the messages'],
  ['↑ ↓ Home End', 'Move between messages'],
  ['E', 'The message is evidence'],
  ['G', 'Back to the grades'],
  ['Ctrl ↵', 'Submit and next'],
  ['Ctrl ⇧ ↵', 'Review later'],
  ['Ctrl ⇧ Z', 'Undo'],
] as const

/** Focuses the grade of a row inside `place`, the chosen one first. */
export function focusGrade(place: HTMLElement | null, row: string, how: FocusOptions = {}): void {
  const found = place?.querySelector(row)
  const grade = found?.querySelector<HTMLElement>('input:checked') ?? found?.querySelector<HTMLElement>('input')
  grade?.focus(how)
}
