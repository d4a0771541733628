import { conflict, type Refusal, refused } from '../../../kit/http/errors.ts'
import type { Problems } from '../../systemUsers/place.ts'

/** Result of checking an input that names a website. */
export interface Checked {
  /** By field. */
  problems: Problems
  /** Whether one of the problems is a name that another website has. */
  isTaken?: boolean
}

/** Adds the problem of a name that another website has, unless the field has a problem. */
export function addTaken(checked: Checked, field: string, problem: string | undefined): void {
  if (!problem || checked.problems[field]) return
  checked.problems[field] = problem
  checked.isTaken = true
}

/** The answer to an input with problems: 409 if a name is taken, otherwise 422. */
export function refusalOf({ problems, isTaken }: Checked): Refusal {
  const message = Object.values(problems).join('\n')
  return isTaken ? conflict(message, { fields: problems }) : refused(message, problems)
}
