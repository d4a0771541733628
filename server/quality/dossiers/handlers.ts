import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { commentHandlers } from './comments/handlers.ts'
import { feedbackHandlers } from './feedback/handlers.ts'
import { membershipHandlers } from './memberships/handlers.ts'
import { peopleHandlers } from './people/handlers.ts'
import { positionHandlers } from './positions/handlers.ts'
import { talkHandlers } from './talks/handlers.ts'
import { talkTemplateHandlers } from './talkTemplates/handlers.ts'
import { teamHandlers } from './teams/handlers.ts'
import { timelineHandlers } from './timeline/handlers.ts'
import { wordHandlers } from './words/handlers.ts'

export const dossiersHandlers: Handlers<typeof contract> = {
  ...peopleHandlers,
  ...positionHandlers,
  ...teamHandlers,
  ...membershipHandlers,
  ...wordHandlers,
  ...feedbackHandlers,
  ...commentHandlers,
  ...timelineHandlers,
  ...talkHandlers,
  ...talkTemplateHandlers,
}
