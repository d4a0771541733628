import type { qcChats as contract } from '@innkeeper/contract/quality/qc/conversations'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import type { Handlers } from '../../../kit/http/api.ts'
import { idOf } from '../reviews/handlers.ts'
import { answerFeedback } from './decide.ts'
import { giveFeedback, listFeedbacks, readFeedback, updateFeedback } from './write.ts'

type Calls = 'giveFeedback' | 'updateFeedback' | 'feedbackStatus' | 'feedbacks' | 'feedback'

export const feedbackHandlers = (kind: Kind): Pick<Handlers<typeof contract>, Calls> => ({
  giveFeedback: ({ chatId, ticketId, ...fields }, context) =>
    giveFeedback(context, kind, idOf(kind, { chatId, ticketId }), fields),
  updateFeedback: ({ id, ...change }, context) => updateFeedback(context, kind, id, change),
  feedbackStatus: ({ id, ...answer }, context) => answerFeedback(context, id, answer, kind),
  feedbacks: (input, context) => listFeedbacks(context, input, kind),
  feedback: ({ id }, context) => readFeedback(context, id, kind),
})
