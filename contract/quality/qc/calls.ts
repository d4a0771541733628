import { gradeCalls, tagCalls, typeCalls } from './settings.ts'
import { v1Conversations } from './v1.ts'
import { v1Cases, v1Talk } from './v1Cases.ts'

const v1 = '/qa-controller'

/** Calls of support quality, v1 (specification people §7). They share the handlers of v2. */
export const qc = {
  ...tagCalls(v1),
  ...gradeCalls(`${v1}/scoreGrades`),
  ...typeCalls(`${v1}/scoreTypes`),
  ...v1Conversations,
  ...v1Talk,
  ...v1Cases,
}
