import type { shifts } from '@innkeeper/contract/planning/shifts/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { automationHandlers } from './automations/automations.ts'
import { figureHandlers } from './figures/figures.ts'
import { noteHandlers } from './notes.ts'
import { planningHandlers } from './planning/planning.ts'
import { singleHandlers } from './planning/singleShift.ts'
import { readingHandlers } from './roster/reading.ts'
import { ruleHandlers } from './rules.ts'
import { swapHandlers } from './swaps/swaps.ts'
import { teamHandlers } from './teamHandlers.ts'
import { typeHandlers } from './types.ts'
import { wishHandlers } from './wishes.ts'

export const shiftsHandlers: Handlers<typeof shifts> = {
  ...readingHandlers,
  ...singleHandlers,
  ...planningHandlers,
  ...automationHandlers,
  ...noteHandlers,
  ...teamHandlers,
  ...typeHandlers,
  ...figureHandlers,
  ...ruleHandlers,
  ...swapHandlers,
  ...wishHandlers,
}
