import type { Domain } from './domain.ts'
import * as domains from './domains.ts'

const stated: readonly Domain[] = Object.values(domains)
const subjects: NonNullable<Domain['subjects']> = Object.assign({}, ...stated.map((domain) => domain.subjects))

/** The screen of a row, by the word that workflows and log rows use for the row; undefined for a word without screens. */
export const pathOf = (subjectType: string, id: number, name = ''): string | undefined =>
  subjects[subjectType]?.(id, name)
