import { stated } from './stated.ts'

/** The screen of a row, by the word that workflows and log rows use for the row; undefined for a word without screens. */
export function pathOf(subjectType: string, id: number, name = ''): string | undefined {
  for (const { subjects } of stated()) {
    const path = subjects?.[subjectType]
    if (path) return path(id, name)
  }
  return undefined
}
