import * as z from 'zod'
import { del, filter, get, id, line, listQuery, pageOf, patch, post, version } from '../../kit/endpoint.ts'
import { prose } from '../qc/values.ts'
import { Word } from './shapes.ts'

const base = '/dossier-controller'
const query = {
  ...listQuery(['name', 'createdAt'], 50),
  search: filter(z.string().trim().max(60)),
  isActive: filter(z.enum(['true', 'false'])),
}
const fields = { name: line(60), description: prose(500).optional(), isActive: z.boolean().optional() }
const changes = { ...fields, name: fields.name.optional(), version }
/** `replacementId`: row that gets the entries of the deleted row. */
const removal = { version, replacementId: id.optional() }

/** Categories and types of feedback, and categories of reviews. All three have the same calls. */
export const wordCalls = {
  categories: get(`${base}/categories`, 'dossier:feedback-category:read', {
    summary: 'Categories of feedback',
    query,
    returns: pageOf(Word),
    aliases: [`${base}/feedbacks/categories`],
  }),
  category: get(`${base}/categories/:id`, 'dossier:feedback-category:read', { summary: 'One category', returns: Word }),
  createCategory: post(`${base}/categories`, 'dossier:feedback-category:create', {
    summary: 'Create a category',
    body: fields,
    returns: Word,
  }),
  updateCategory: patch(`${base}/categories/:id`, 'dossier:feedback-category:update', {
    summary: 'Change a category',
    body: changes,
    returns: Word,
  }),
  removeCategory: del(`${base}/categories/:id`, 'dossier:feedback-category:delete', {
    summary: 'Delete a category. One in use needs a replacement',
    body: removal,
    status: 204,
  }),
  types: get(`${base}/types`, 'dossier:feedback-type:read', {
    summary: 'Types of feedback',
    query,
    returns: pageOf(Word),
    aliases: [`${base}/feedbacks/types`],
  }),
  type: get(`${base}/types/:id`, 'dossier:feedback-type:read', { summary: 'One type', returns: Word }),
  createType: post(`${base}/types`, 'dossier:feedback-type:create', {
    summary: 'Create a type',
    body: fields,
    returns: Word,
  }),
  updateType: patch(`${base}/types/:id`, 'dossier:feedback-type:update', {
    summary: 'Change a type',
    body: changes,
    returns: Word,
  }),
  removeType: del(`${base}/types/:id`, 'dossier:feedback-type:delete', {
    summary: 'Delete a type. One in use needs a replacement',
    body: removal,
    status: 204,
  }),
  reviewCategories: get(`${base}/review-categories`, 'dossier:review-category:read', {
    summary: 'Review categories',
    query,
    returns: pageOf(Word),
  }),
  reviewCategory: get(`${base}/review-categories/:id`, 'dossier:review-category:read', {
    summary: 'One review category',
    returns: Word,
  }),
  createReviewCategory: post(`${base}/review-categories`, 'dossier:review-category:create', {
    summary: 'Create a review category',
    body: fields,
    returns: Word,
  }),
  updateReviewCategory: patch(`${base}/review-categories/:id`, 'dossier:review-category:update', {
    summary: 'Change a review category',
    body: changes,
    returns: Word,
  }),
  removeReviewCategory: del(`${base}/review-categories/:id`, 'dossier:review-category:delete', {
    summary: 'Delete a review category. One in use needs a replacement',
    body: removal,
    status: 204,
  }),
}
