import { dossiers as dossiersContract } from '@innkeeper/contract/quality/dossiers/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { quotesIn } from '../../kit/app/quote.ts'
import { calls } from '../../kit/http/api.ts'
import { remind } from './feedback/notify.ts'
import { dossiersHandlers } from './handlers.ts'
import { followUps, leaveTeams, ledTeams, openTalks } from './holdings.ts'
import { seedDossiers } from './seed.ts'
import * as tables from './tables.ts'
import { managedBy, managersOf } from './teams/managing.ts'

/**
 * Events that affect a dossier: a change of manager, merged and deleted teams, a closed and reopened dossier, a deleted
 * account, a file that its owner deletes, an agent of an import who is mapped later, a visibility that is narrowed
 * after reading. `feedback/readers.ts` decides all questions of reading.
 */
export const dossiers: Domain = {
  calls: [calls('dossiers', dossiersContract, dossiersHandlers)],
  tables,
  quotes: [
    quotesIn(
      'Entries of dossiers',
      'They are about staff: their authors change them',
      'dossier_feedbacks',
      sql`content`,
    ),
    quotesIn(
      ...(['Comments on dossiers', 'They are about staff: their authors change them', 'qc_comments'] as const),
      sql`content`,
      sql`conversation_id is null`,
    ),
  ],
  rowScopes: { dossiers: [] },
  readScopes: {
    dossiers: [
      ...(['dossier:user:read', 'dossier:team:read', 'dossier:membership:read', 'dossier:position:read'] as const),
      ...(['dossier:feedback-type:read', 'dossier:feedback-category:read', 'dossier:review-category:read'] as const),
      ...(['dossier:comment:read', 'dossier:chat-comment:read', 'dossier:ticket-comment:read'] as const),
    ],
    // always sent to named people: the readers of an entry, the two sides of a talk
    dossierFeedback: [],
  },
  schedules: [{ name: 'dossiers: follow-ups', everyMs: 600_000, work: remind }],
  holdings: [ledTeams, followUps, openTalks],
  appointments: managedBy,
  managersOf,
  accountDeleted: leaveTeams,
  seed: { at: 45, run: (db, say) => seedDossiers(db, say) },
}
