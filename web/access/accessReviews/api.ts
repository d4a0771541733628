import { accessReviews } from '@innkeeper/contract/access/accessReviews'
import { bind } from '../../kit/api/client.ts'

export const accessReviewsApi = bind('accessReviews', accessReviews)
