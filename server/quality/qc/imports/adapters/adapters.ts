import type { SourceType } from '@innkeeper/contract/quality/qc/values'
import type { Adapter } from './adapter.ts'
import { chatwoot } from './chatwoot.ts'
import { freescout } from './freescout.ts'
import { freshdesk } from './freshdesk.ts'
import { requestTracker } from './requestTracker.ts'
import { xmpp } from './xmpp.ts'
import { zammad } from './zammad.ts'
import { zendesk } from './zendesk.ts'

/**
 * Adapters by type of source; none for JSON lines, which senders post to Innkeeper. A new adapter needs a line here.
 */
export const adapters: Partial<Record<SourceType, Adapter>> = {
  rt: requestTracker,
  xmpp,
  zammad,
  chatwoot,
  freescout,
  zendesk,
  freshdesk,
}
