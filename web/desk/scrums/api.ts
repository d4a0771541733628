import { scrums } from '@innkeeper/contract/desk/scrums/calls'
import { bind } from '../../kit/api/client.ts'

export const scrumsApi = bind('scrums', scrums)
