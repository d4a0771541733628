import { type EdgeRules, edgeRulesChange } from '@innkeeper/contract/net/edgeRules/rules'
import type * as z from 'zod'

type Change = z.input<typeof edgeRulesChange>
type Status = EdgeRules['redirects'][number]['status']

/** Rules as they are typed: lists as lines of text. */
export interface RuleDraft {
  paths: { path: string; minutes: string; locked: boolean; allow: string[] }[]
  redirects: string
  headers: string
  errors: { status: number; html: string }[]
  locked: boolean
  users: { name: string; password: string; known: boolean }[]
  allow: string
  deny: string
  fetch: 'http' | 'https'
}

export const draftOf = (rules: EdgeRules): RuleDraft => ({
  paths: rules.paths.map(({ minutes, ...path }) => ({ ...path, minutes: minutes === null ? '' : String(minutes) })),
  redirects: linesFrom(
    rules.redirects.map(({ from, to, status }) => `${from} ${to}${status === 301 ? '' : ` ${status}`}`),
  ),
  headers: linesFrom(rules.headers.map(({ name, value }) => `${name}: ${value}`.trim())),
  errors: rules.errors,
  locked: rules.locked,
  users: rules.users.map((name) => ({ name, password: '', known: true })),
  allow: linesFrom(rules.allow),
  deny: linesFrom(rules.deny),
  fetch: rules.fetch,
})

const linesFrom = (lines: readonly string[]) => lines.join('\n')
const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

/** The request for what differs from `before`: a rule that nobody touched is not sent. */
export function changeOf(draft: RuleDraft, before: RuleDraft): Change {
  const all: Required<Omit<Change, 'cookies'>> = {
    paths: draft.paths.map(({ minutes, ...path }) => ({
      ...path,
      minutes: minutes.trim() === '' ? null : Number(minutes),
    })),
    redirects: linesOf(draft.redirects).map((line) => {
      const [from = '', to = '', status = '301', ...rest] = line.split(/\s+/)
      // the contract refuses other statuses
      return { from, to: [to, ...rest].join(' '), status: Number(status) as Status }
    }),
    headers: linesOf(draft.headers).map((line) => {
      const [name = '', ...value] = line.split(':')
      return { name, value: value.join(':').trim() }
    }),
    // the contract refuses other statuses
    errors: draft.errors as EdgeRules['errors'],
    locked: draft.locked,
    users: draft.users.map(({ name, password }) => ({ name, ...(password && { password }) })),
    allow: linesOf(draft.allow),
    deny: linesOf(draft.deny),
    fetch: draft.fetch,
  }
  const keys = Object.keys(all) as (keyof typeof all)[]
  const touched = keys.filter((key) => JSON.stringify(draft[key]) !== JSON.stringify(before[key]))
  return Object.fromEntries(touched.map((key) => [key, all[key]]))
}

/** Errors by path, such as `redirects.3.to`; lists of lines say `Line 4`. */
export function problemsOf(draft: RuleDraft, before: RuleDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { path, message } of edgeRulesChange.safeParse(changeOf(draft, before)).error?.issues ?? [])
    problems[path.join('.')] ??= message
  for (const [at, { name, password, known }] of draft.users.entries())
    if (!password && !known) problems[`users.${at}.password`] ??= `${name || 'Somebody'} needs a password`
  const needing = draft.locked || draft.paths.some(({ locked }) => locked)
  if (needing && !draft.users.length) problems.users ??= 'Add somebody with a password: otherwise nobody gets in'
  return problems
}

/** The first error of a rule that is typed as lines. */
export function lineProblem(problems: Record<string, string>, rule: string): string | undefined {
  const [key, message] = Object.entries(problems).find(([path]) => path === rule || path.startsWith(`${rule}.`)) ?? []
  const line = key?.split('.')[1]
  return message && (line === undefined ? message : `Line ${Number(line) + 1}: ${message}`)
}
