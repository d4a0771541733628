import type { Elevation } from '@innkeeper/contract/access/elevations'
import { succeeds } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { elevationsApi } from './api.ts'

/** Ends an elevation, or withdraws the request. */
export async function endNow({ id, state }: Pick<Elevation, 'id' | 'state'>): Promise<void> {
  if (await succeeds(() => elevationsApi.end({ id }), ['elevations']))
    toast.success(state === 'asked' ? 'The request is withdrawn' : 'The elevation ended')
}
