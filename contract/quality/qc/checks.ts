import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
} from '../../kit/endpoint.ts'
import { flag, kind, prose, usedFor } from './values.ts'

/** What a check judges. Each check reads the messages of a conversation and no other data of the customer. */
export const checks = [
  ...(['firstAnswer', 'silence', 'unanswered', 'repeated', 'closedBy'] as const),
  ...(['greeting', 'closing', 'wanted', 'forbidden', 'links', 'secrets'] as const),
  ...(['language', 'sentiment'] as const),
] as const
export type Check = (typeof checks)[number]
/** Whose messages a check reads. */
export const speakers = ['agent', 'customer', 'everybody'] as const
/** The minutes that count for a time: all, or those in which somebody of the department is on the roster. */
export const countedHours = ['clock', 'roster'] as const
export const roles = ['agent', 'customer', 'bot', 'system'] as const
export const languages = [
  ...(['ar', 'cs', 'da', 'de', 'el', 'en', 'es', 'fr', 'he', 'hi', 'hu', 'id', 'it', 'ja', 'ko', 'nb'] as const),
  ...(['nl', 'pl', 'pt', 'ro', 'ru', 'sr', 'sv', 'th', 'tr', 'uk', 'vi', 'zh'] as const),
] as const
export type Language = (typeof languages)[number]

const words = z.array(line(100)).max(100, 'At most 100 phrases')
const settings = {
  check: z.enum(checks),
  who: z.enum(speakers),
  /** Phrases: whole words, without regard to case. */
  words,
  /** Regular expressions in the syntax of RE2, without regard to case. */
  patterns: z.array(line(200)).max(20, 'At most 20 patterns'),
  minutes: z.int().min(1).max(525_600),
  hours: z.enum(countedHours),
  /** Hosts that links may have; their subdomains too. */
  hosts: words,
  languages: z.array(z.enum(languages)).max(20),
  /** `closedBy`: who may close. */
  closers: z.array(z.enum(roles)).max(4),
  /** `sentiment`: the least points for 100 words. */
  below: z.int().min(-500).max(100),
  usedFor,
  /** Sources and departments whose conversations are checked; empty: all. */
  sourceIds: z.array(id).max(50),
  departmentIds: z.array(id).max(50),
}
const shown = z.object(settings)

export const CheckRule = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  ...shown.shape,
  words: z.array(z.string()),
  patterns: z.array(z.string()),
  hosts: z.array(z.string()),
  /** Score type whose human scores the rule is compared with. */
  scoreTypeId: z.int().nullable(),
  scoreTypeName: z.string().nullable(),
  /** Human scores below this value agree with a failed check. */
  lowBelow: z.int(),
  isActive: z.boolean(),
  /** Number of conversations that passed and that failed the check. */
  passed: z.int(),
  failed: z.int(),
  /** Share of all conversations, 0 to 100, that were judged since the last change of the rule; 100: all. */
  progress: z.int(),
  /**
   * The latest conversations, at most 2,000, with a result of the rule and a human score of the same type: how many of the
   * failed ones people scored low, and how many of those with a low score failed.
   */
  agreement: z.object({ compared: z.int(), failed: z.int(), failedAndLow: z.int(), low: z.int() }).nullable(),
})
export type CheckRule = z.output<typeof CheckRule>

/** The settings of a rule that decide its results. */
export type CheckSettings = z.output<typeof shown>

/** A part of a message: offsets in its text. Results keep no words. */
const place = z.object({ messageId: z.int(), from: z.int(), to: z.int() })
const outcome = {
  /** `none`: the check says nothing about this conversation. */
  result: z.enum(['passed', 'failed', 'none']),
  /** Minutes, or points for 100 words. */
  value: z.number().nullable(),
  /** A language, or the role of who closed the conversation. */
  note: z.string().nullable(),
  places: z.array(place),
}
export const CheckOutcome = z.object(outcome)
export type CheckOutcome = z.output<typeof CheckOutcome>

/** The result of a rule for a conversation. */
export const CheckResult = z.object({ ruleId: z.int(), name: z.string(), check: z.enum(checks), ...outcome })
export type CheckResult = z.output<typeof CheckResult>

const optional = {
  description: prose(500).optional(),
  who: settings.who.optional(),
  words: settings.words.optional(),
  patterns: settings.patterns.optional(),
  minutes: settings.minutes.optional(),
  hours: settings.hours.optional(),
  hosts: settings.hosts.optional(),
  languages: settings.languages.optional(),
  closers: settings.closers.optional(),
  below: settings.below.optional(),
  usedFor: usedFor.optional(),
  sourceIds: settings.sourceIds.optional(),
  departmentIds: settings.departmentIds.optional(),
  scoreTypeId: id.nullable().optional(),
  lowBelow: z.int().min(1).max(100).optional(),
  isActive: flag.optional(),
}

const path = '/qa-controller-v2/checks'

/** Automatic checks of every conversation: a population of their own beside human reviews (decision 201). */
export const qcChecks = {
  checks: get(path, 'qa:check:read', {
    summary: 'Rules of automatic checks, with hit rates and their agreement with human reviews',
    query: {
      ...listQuery(['name', 'failed', 'createdAt']),
      search: filter(z.string().trim().max(80)),
      check: filter(csv(z.enum(checks))),
    },
    returns: pageOf(CheckRule),
  }),
  check: get(`${path}/:id`, 'qa:check:read', { summary: 'One rule of automatic checks', returns: CheckRule }),
  createCheck: post(path, 'qa:check:create', {
    summary: 'Create a rule. All conversations are checked in the background',
    body: { name: line(80), check: settings.check, ...optional },
    returns: CheckRule,
  }),
  updateCheck: patch(`${path}/:id`, 'qa:check:update', {
    summary: 'Change a rule. All conversations are checked again in the background',
    body: { name: line(80).optional(), check: settings.check.optional(), ...optional, version },
    returns: CheckRule,
  }),
  removeCheck: del(`${path}/:id`, 'qa:check:delete', {
    summary: 'Delete a rule and its results',
    body: { version },
    status: 204,
  }),
  tryCheck: post(`${path}/try`, 'qa:check:read', {
    summary: 'What a rule would say about a conversation. Stores nothing',
    body: { kind, externalId: z.string().trim().min(1, 'Required').max(200), check: settings.check, ...optional },
    effect: 'read',
    status: 200,
    returns: z.object({
      ...outcome,
      conversationId: z.int(),
      /** The text of each place. */
      excerpts: z.array(z.string()),
    }),
  }),
}

/** Results of a conversation on its page. */
export const ConversationChecks = z.object({
  checkedAt: instant,
  /** True: the conversation changed since, or a rule did, and is checked again soon. */
  isDue: z.boolean(),
  items: z.array(CheckResult),
})
export type ConversationChecks = z.output<typeof ConversationChecks>
