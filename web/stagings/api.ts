import { stagings } from '@innkeeper/contract/stagings'
import { bind } from '../kit/client.ts'

export const stagingsApi = bind('stagings', stagings)
