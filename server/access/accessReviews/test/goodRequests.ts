import type { Good } from '../../../test/hostile/good.ts'

export const accessReviews: Good<'accessReviews'> = {
  create: { name: 'Autumn', dueOn: '2999-01-01' },
  decide: ({ id, row }) => ({
    id: id('access_reviews', 'open'),
    items: [Number(row('access_review_items', { name: 'waits' }).access_review_item_id)],
    decision: 'keep',
  }),
  finish: ({ id }) => ({ id: id('access_reviews', 'decided') }),
  cancel: ({ id }) => ({ id: id('access_reviews', 'open') }),
}
