import type { CheckRule } from '@innkeeper/contract/quality/qc/checks'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'

export const checkLabels = {
  name: 'Name',
  description: 'Description',
  check: 'Check',
  who: 'Messages of',
  words: 'Phrases',
  patterns: 'Patterns',
  minutes: 'At most, min',
  hours: 'Counts',
  hosts: 'Hosts that are allowed',
  languages: 'Languages',
  closers: 'May be closed by',
  below: 'Points, at least',
  usedFor: 'For',
  sourceIds: 'Sources',
  departmentIds: 'Departments',
  scoreTypeId: 'Compared with the score type',
  lowBelow: 'A low score is below',
  isActive: 'In use',
}
export type CheckValues = Pick<CheckRule, keyof typeof checkLabels>

/** The form of a rule, new or stored. */
export interface CheckForm {
  values: CheckValues
  text: (key: 'name' | 'description') => TextProps
  field: <K extends Exclude<keyof CheckValues, 'name' | 'description'>>(key: K) => FieldProps<CheckValues[K]>
}

export const checkValues = (rule: CheckValues): CheckValues => {
  const { name, description, check, who, words, patterns, minutes, hours, hosts, languages, closers } = rule
  const { below, usedFor, sourceIds, departmentIds, scoreTypeId, lowBelow, isActive } = rule
  return {
    ...{ name, description, check, who, words, patterns, minutes, hours, hosts, languages, closers },
    ...{ below, usedFor, sourceIds, departmentIds, scoreTypeId, lowBelow, isActive },
  }
}

export const freshRule: CheckValues = {
  ...{ name: '', description: '', check: 'firstAnswer', who: 'agent', words: [], patterns: [], minutes: 60 },
  ...{ hours: 'clock', hosts: [], languages: [], closers: ['agent'], below: -5, usedFor: 'all', sourceIds: [] },
  ...{ departmentIds: [], scoreTypeId: null, lowBelow: 60, isActive: true },
}
