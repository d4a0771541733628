import { commentCalls } from './comments.ts'
import { feedbackCalls } from './feedback.ts'
import { membershipCalls, positionCalls, teamCalls } from './organisation.ts'
import { talkCalls, timelineCalls } from './pages.ts'
import { talkTemplateCalls } from './talkTemplates.ts'
import { userCalls } from './users.ts'
import { wordCalls } from './words.ts'

/** Dossiers of staff: specification people §3 Dossier, §7 Dossiers; decision 50. */
export const dossiers = {
  ...userCalls,
  ...positionCalls,
  ...teamCalls,
  ...membershipCalls,
  ...wordCalls,
  ...feedbackCalls,
  ...commentCalls,
  ...timelineCalls,
  ...talkCalls,
  ...talkTemplateCalls,
}
