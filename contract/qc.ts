import { gradeCalls, tagCalls, typeCalls } from './qc/settings.ts'
import { v1Conversations } from './qc/v1.ts'
import { v1Cases, v1Talk } from './qc/v1Cases.ts'

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
