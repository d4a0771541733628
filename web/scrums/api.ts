import { scrums } from '@innkeeper/contract/scrums'
import { bind } from '../kit/api/client.ts'

export const scrumsApi = bind('scrums', scrums)
