import type { Grade, ScoreType } from '../kit/score/scores.ts'

const grades: Grade[] = [
  { id: 1, name: 'Poor', value: 0, needsComment: true },
  { id: 2, name: 'Fair', value: 50 },
  { id: 3, name: 'Good', value: 80 },
  { id: 4, name: 'Great', value: 100 },
]
export const types: ScoreType[] = [
  { id: 1, name: 'Greeting', hint: 'Name used, tone fits', weight: 10, mayBeNA: true, grades },
  { id: 2, name: 'Diagnosis', hint: 'Found the cause, showed how', weight: 30, mayBeNA: true, grades },
  { id: 3, name: 'Solution', hint: 'Solved, or a clear next step', weight: 40, mayBeNA: true, grades },
  { id: 4, name: 'Security', hint: 'Identity checked before a change', weight: 20, isCritical: true, grades },
]
