import { gradeCalls, tagCalls, typeCalls } from './qc/settings.ts'

const v1 = '/qa-controller'

/** The first face of support quality: specification people §7, v1. Its calls share the handlers of v2. */
export const qc = {
  ...tagCalls(v1),
  ...gradeCalls(`${v1}/scoreGrades`),
  ...typeCalls(`${v1}/scoreTypes`),
}
