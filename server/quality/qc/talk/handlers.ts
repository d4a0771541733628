import type { qcChats as contract } from '@innkeeper/contract/quality/qc/conversations'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import type { Handlers } from '../../../kit/http/api.ts'
import { erase, rewrite, write } from './write.ts'

type Calls =
  | ('comment' | 'commentMessage' | 'commentReview' | 'commentFeedback' | 'updateComment' | 'removeComment')
  | ('note' | 'updateNote' | 'removeNote')

export const talkHandlers = (kind: Kind): Pick<Handlers<typeof contract>, Calls> => {
  const comment =
    (subject: Parameters<typeof write>[1]['subject']): Handlers<typeof contract>['comment'] =>
    ({ id, commentData: text, notifyUsers }, context) =>
      write(context, { type: 'comment', subject, kind, id, text, notifyUsers })
  return {
    comment: comment('conversation'),
    commentMessage: comment('message'),
    commentReview: comment('review'),
    commentFeedback: comment('feedback'),
    updateComment: ({ id, ...change }, context) => rewrite(context, 'comment', id, change),
    removeComment: ({ id }, context) => erase(context, 'comment', id),
    note: ({ id, noteData: text, notifyUsers }, context) =>
      write(context, { type: 'note', subject: 'conversation', kind, id, text, notifyUsers }),
    updateNote: ({ noteId, ...change }, context) => rewrite(context, 'note', noteId, change),
    removeNote: ({ noteId }, context) => erase(context, 'note', noteId),
  }
}
