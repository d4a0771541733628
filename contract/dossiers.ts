import { commentCalls } from './dossiers/comments.ts'
import { feedbackCalls } from './dossiers/feedback.ts'
import { membershipCalls, positionCalls, teamCalls } from './dossiers/organisation.ts'
import { talkCalls, timelineCalls } from './dossiers/pages.ts'
import { talkTemplateCalls } from './dossiers/talkTemplates.ts'
import { userCalls } from './dossiers/users.ts'
import { wordCalls } from './dossiers/words.ts'

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
