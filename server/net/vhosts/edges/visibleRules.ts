import { type EdgeRules, NO_RULES } from '@innkeeper/contract/net/edgeRules/rules'
import type { StoredRules } from './tables.ts'

/** Rules as people see them: names of visitors without their passwords. */
export function visibleRules({ passwords: _, passwordsSum: __, ...stored }: StoredRules): EdgeRules {
  return { ...NO_RULES, ...stored }
}
