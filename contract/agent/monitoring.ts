import * as z from 'zod'
import { checkedPath, checkedWord } from '../hosting/monitoring.ts'
import { address, domain } from '../kit/values.ts'
import { websiteId } from './shapes.ts'

/** Websites per request to an agent. */
export const CHECKS = 50

/** Requests to websites of other servers. */
export const monitoringOperations = {
  /** Requests each website at the address of its server or of an edge, and answers the results. Reads only. */
  'websites.check': z.object({
    sites: z
      .array(
        z.object({
          id: websiteId,
          domain,
          address,
          /** True: the website has a certificate and is requested over https. */
          https: z.boolean(),
          path: checkedPath,
          word: checkedWord.nullable(),
          /** True: `address` is an edge, which must ask the website instead of its cache. */
          edge: z.boolean().optional(),
        }),
      )
      .max(CHECKS),
  }),
} as const
export type CheckedSite = z.output<(typeof monitoringOperations)['websites.check']>['sites'][number]

/** Result of one request. `reason`: why the request counts as failed. */
export const CheckAnswer = z.object({
  id: websiteId,
  status: z.int().min(0).max(999).nullable(),
  ms: z.int().min(0).max(3_600_000),
  reason: z.string().max(300).nullable(),
  certificateUntil: z.iso.datetime().nullable(),
})
export type CheckAnswer = z.output<typeof CheckAnswer>
