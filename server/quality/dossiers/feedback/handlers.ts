import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { readParts } from '../../../kit/storage/storage.ts'
import { checkSubject } from '../people/subject.ts'
import { attached } from './attached.ts'
import { listFeedback, listMine } from './list.ts'
import { readersOf } from './readers.ts'
import { findFeedback, readPage } from './view.ts'
import { acknowledge, publishedOn, remove, rewrite, write } from './write.ts'

type Calls =
  | ('feedbacks' | 'mine' | 'feedback' | 'createFeedback' | 'updateFeedback' | 'removeFeedback' | 'acknowledge')
  | ('feedbackFile' | 'audience')

/** Maximum number of readers that a form offers for a mention. */
const MOST_NAMED = 1000

export const feedbackHandlers: Pick<Handlers<typeof contract>, Calls> = {
  feedbacks: (input, context) => listFeedback(context, input),
  mine: (input, context) => listMine(context, input),
  feedback: ({ id }, context) => readPage(context, id),
  createFeedback: (input, context) => write(context, input),
  updateFeedback: ({ id, ...change }, context) => rewrite(context, id, change),
  removeFeedback: ({ id, version }, context) => remove(context, id, version),
  acknowledge: ({ id, ...said }, context) => acknowledge(context, id, said),

  async feedbackFile({ id, fileId }, context) {
    const { fileIds } = await findFeedback(context, id)
    const file = fileIds.includes(fileId) ? await attached(context.db, fileId) : undefined
    if (!file) throw notFound('entry', id)
    const { path, ...rest } = file
    return { ...rest, inline: false, read: (start, end) => readParts(context.app.storage, path, start, end) }
  },

  async audience({ userId, visibility, entryId }, context) {
    const { db, staff, now } = context
    await checkSubject(db, userId)
    const publishedAt = entryId ? publishedOn(await findFeedback(context, entryId), visibility) : null
    const readers = await readersOf(db, now, { authorId: staff.id, subjectId: userId, visibility, publishedAt })
    const byRelation = readers.filter(({ isAdmin }) => !isAdmin)
    const people = [...byRelation, ...readers.filter(({ isAdmin }) => isAdmin)].slice(0, MOST_NAMED)
    return {
      people: people.map(({ id, name, isAdmin }) => ({ id, name, isAdmin })),
      total: readers.length,
      administrators: readers.length - byRelation.length,
    }
  },
}
