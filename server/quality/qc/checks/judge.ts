import type { Check, CheckSettings } from '@innkeeper/contract/quality/qc/checks'
import { closedBy, forbidden, phraseIn, wanted } from './phrases.ts'
import { links, secrets } from './secrets.ts'
import type { Heard, Judgement } from './speech.ts'
import { none } from './speech.ts'
import { firstAnswer, silence, unanswered, waitsOf } from './times.ts'
import { language, repeated, sentiment } from './tone.ts'

const judges: Record<Check, (rule: CheckSettings, heard: Heard) => Judgement> = {
  firstAnswer,
  silence,
  unanswered,
  repeated: (_, heard) => repeated(heard),
  closedBy,
  greeting: (rule, heard) => phraseIn(rule, heard, 0),
  // nobody says goodbye to a customer who waits
  closing: (rule, heard) => (waitsOf(heard).at(-1)?.to === null ? none : phraseIn(rule, heard, -1)),
  wanted,
  forbidden,
  links,
  secrets,
  language,
  sentiment,
}

/** What a rule says about a conversation. Nothing about kinds, sources and departments that it does not cover. */
export function judge(rule: CheckSettings, heard: Heard): Judgement {
  const { usedFor, sourceIds, departmentIds } = rule
  const isCovered =
    (usedFor === 'all' || usedFor === heard.kind) &&
    (!sourceIds.length || sourceIds.includes(heard.sourceId)) &&
    (!departmentIds.length || (heard.departmentId !== null && departmentIds.includes(heard.departmentId)))
  return isCovered ? judges[rule.check](rule, heard) : none
}
