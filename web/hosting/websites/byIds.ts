import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { websitesApi } from './api.ts'

/** Reads websites by id. Sends no request for an empty list (RP5-008). */
export const websitesByIds = async (ids: readonly number[]): Promise<WebsiteRow[]> =>
  ids.length ? (await websitesApi.list({ ids: [...ids] })).Websites : []
