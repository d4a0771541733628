/** One condition of a filter text. */
export type Term =
  | { field: 'csat' | 'messages'; is: '<=' | '>=' | '='; value: number }
  | { field: 'source' | 'agent' | 'department' | 'tag'; value: string }
  | { field: 'newer' | 'older'; days: number }
  | { field: 'words'; value: string }

const numbers = ['csat', 'messages'] as const
const names = ['source', 'agent', 'department', 'tag'] as const
const ages = ['newer', 'older'] as const
const fields = [...numbers, ...names, ...ages]

/**
 * Parses a filter such as `csat<=2 messages>=4 source:"Help desk" newer:7d refund`. All terms must match. Words without
 * a field are searched in subject and customer. Returns the terms, or the problem of the first invalid term.
 */
export function readFilter(text: string): { terms: Term[] } | { problem: string } {
  const parts = text.match(/[\w-]*(?:<=|>=|=|:)"[^"]*"|"[^"]*"|\S+/g) ?? []
  const terms: Term[] = []
  for (const part of parts) {
    const term = readTerm(part)
    if (typeof term === 'string') return { problem: term }
    terms.push(term)
  }
  return terms.length ? { terms } : { problem: 'A filter needs at least one condition' }
}

function readTerm(part: string): Term | string {
  const [, name = '', sign = '', raw = ''] = /^([a-z-]+)(<=|>=|=|:)(.*)$/s.exec(part) ?? []
  const value = raw.replace(/^"(.*)"$/s, '$1').trim()
  if (!name) {
    const [, field] = /^([a-z-]+)[<>!~]/.exec(part) ?? []
    if (numbers.some((one) => one === field)) return `${field} needs <=, >= or = before its number: ${field}<=2`
    if (fields.some((one) => one === field)) return `${field} needs a colon: ${field}:value`
    return { field: 'words', value: part.replace(/^"(.*)"$/s, '$1') }
  }
  const number = numbers.find((one) => one === name)
  if (number) {
    if (!/^\d{1,6}$/.test(value)) return `${name} needs a number: ${name}<=2`
    return { field: number, is: sign === '<=' || sign === '>=' ? sign : '=', value: Number(value) }
  }
  if (sign === '<=' || sign === '>=') return `${name} needs a colon: ${name}:value`
  const age = ages.find((one) => one === name)
  if (age) {
    const [, days] = /^(\d{1,4})d$/.exec(value) ?? []
    return days === undefined ? `${name} needs a number of days: ${name}:7d` : { field: age, days: Number(days) }
  }
  const named = names.find((one) => one === name)
  if (!named) return `Nothing is called ${name}. Known: ${fields.join(', ')}`
  return value ? { field: named, value } : `${name} needs a value: ${name}:"Some name"`
}
