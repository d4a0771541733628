import type { Membership } from '@innkeeper/contract/quality/dossiers/shapes'
import { writeDay } from '../../../kit/form/dates.ts'

/** "since 1 Jan 2026", "1 Jan 2026 to 3 Mar 2026". */
export const spanWords = ({ from, to }: Pick<Membership, 'from' | 'to'>): string =>
  to ? `${writeDay(from)} to ${writeDay(to)}` : `since ${writeDay(from)}`
