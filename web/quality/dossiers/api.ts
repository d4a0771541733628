import { commentCalls } from '@innkeeper/contract/quality/dossiers/comments'
import { feedbackCalls } from '@innkeeper/contract/quality/dossiers/feedback'
import { membershipCalls, positionCalls, teamCalls } from '@innkeeper/contract/quality/dossiers/organisation'
import { talkCalls, timelineCalls } from '@innkeeper/contract/quality/dossiers/pages'
import { talkTemplateCalls } from '@innkeeper/contract/quality/dossiers/talkTemplates'
import { userCalls } from '@innkeeper/contract/quality/dossiers/users'
import { wordCalls } from '@innkeeper/contract/quality/dossiers/words'
import { bind } from '../../kit/api/client.ts'

export const peopleApi = bind('dossiers', userCalls)
export const positionsApi = bind('dossiers', positionCalls)
export const teamsApi = bind('dossiers', teamCalls)
export const membershipsApi = bind('dossiers', membershipCalls)
const wordsApi = bind('dossiers', wordCalls)
export const talkTemplatesApi = bind('dossiers', talkTemplateCalls)
export const commentsApi = bind('dossiers', commentCalls)
export const timelineApi = bind('dossiers', timelineCalls)
/** Live hints of this name reach only the readers of an entry and the two sides of a talk. */
export const feedbackApi = bind('dossierFeedback', feedbackCalls)
export const talksApi = bind('dossierFeedback', talkCalls)
/** Domains whose queries a change of feedback invalidates. */
export const FEEDBACK = ['dossierFeedback', 'dossiers'] as const

/** The calls of one of the three nouns that feedback is sorted by. They have the same input and answer. */
export interface WordApi {
  list: (typeof wordsApi)['types']
  create: (typeof wordsApi)['createType']
  update: (typeof wordsApi)['updateType']
  remove: (typeof wordsApi)['removeType']
}
const { types, createType, updateType, removeType, categories, createCategory, updateCategory, removeCategory } =
  wordsApi
const { reviewCategories, createReviewCategory, updateReviewCategory, removeReviewCategory } = wordsApi
export const typesApi: WordApi = { list: types, create: createType, update: updateType, remove: removeType }
// the contract gives the three nouns the same fields, so they differ in their paths only
export const categoriesApi = {
  ...{ list: categories, create: createCategory, update: updateCategory, remove: removeCategory },
} as unknown as WordApi
export const reviewCategoriesApi = {
  ...{ list: reviewCategories, create: createReviewCategory },
  ...{ update: updateReviewCategory, remove: removeReviewCategory },
} as unknown as WordApi
