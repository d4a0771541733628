import type { Check, CheckSettings } from '@innkeeper/contract/quality/qc/checks'
import { refused } from '../../../kit/http/errors.ts'
import { patternProblem } from './phrases.ts'

/** Settings that a rule has while nobody changes them. */
const first: Omit<CheckSettings, 'check'> = {
  ...{ who: 'agent', words: [], patterns: [], minutes: 60, hours: 'clock', hosts: [], languages: [], closers: [] },
  ...{ below: -5, usedFor: 'all', sourceIds: [], departmentIds: [] },
}

type Given = { [K in keyof CheckSettings]?: CheckSettings[K] | undefined } & { check: Check }

/** The settings of a rule, with defaults for those that are absent. */
export const settingsOf = (given: Given): CheckSettings => ({
  check: given.check,
  who: given.who ?? first.who,
  words: given.words ?? first.words,
  patterns: given.patterns ?? first.patterns,
  minutes: given.minutes ?? first.minutes,
  hours: given.hours ?? first.hours,
  hosts: given.hosts ?? first.hosts,
  languages: given.languages ?? first.languages,
  closers: given.closers ?? first.closers,
  below: given.below ?? first.below,
  usedFor: given.usedFor ?? first.usedFor,
  sourceIds: given.sourceIds ?? first.sourceIds,
  departmentIds: given.departmentIds ?? first.departmentIds,
})

const ofPhrases: readonly Check[] = ['greeting', 'closing', 'wanted', 'forbidden', 'closedBy']

/** Throws a 422 for a rule that cannot judge anything. */
export function checkSettings(check: Check, { words, patterns, closers }: CheckSettings): void {
  const problem = patterns.map(patternProblem).find((one) => one !== null)
  if (problem) throw refused(problem, { patterns: problem })
  if (ofPhrases.includes(check) && !words.length && !patterns.length)
    throw refused('The check needs phrases', { words: 'Enter a phrase or a pattern' })
  if (check === 'closedBy' && !closers.length)
    throw refused('Nobody may close', { closers: 'Choose who may close a conversation' })
}
