import type { Website } from '@innkeeper/contract/websites'
import { websitesApi } from './api.ts'

/** Websites by number. No numbers are no websites, and nobody is asked (RP5-008). */
export const websitesByIds = async (ids: readonly number[]): Promise<Website[]> =>
  ids.length ? (await websitesApi.list({ ids: [...ids] })).Websites : []
