import * as z from 'zod'

/** A chat or a ticket: both are conversations. */
export const kinds = ['chat', 'ticket'] as const
export const kind = z.enum(kinds)
export type Kind = z.output<typeof kind>

/** Kinds of conversations for which a tag or a score type is offered. */
export const scopesOfUse = ['all', 'chat', 'ticket'] as const
export const usedFor = z.enum(scopesOfUse)

export const colours = ['primary', 'secondary', 'accent', 'info', 'success', 'warning', 'error'] as const
export const colour = z.enum(colours)
export type Colour = z.output<typeof colour>

/**
 * State of a conversation: imported and never queued, waiting for a review, reviewed, or removed from the queue without
 * a review.
 */
export const statuses = ['imported', 'queued', 'reviewed', 'cleared'] as const
export const status = z.enum(statuses)
export type ConversationStatus = z.output<typeof status>

/** Reason why a conversation was queued. Statistics report these populations separately. */
export const populations = ['everything', 'sample', 'filter', 'manual', 'checks'] as const
export const population = z.enum(populations)
export type Population = z.output<typeof population>

/** How conversations get into the queue by themselves. */
export const queueModes = ['everything', 'sample', 'checks', 'off'] as const

export const escalationStatuses = ['open', 'in-progress', 'reviewed'] as const
export const escalationStatus = z.enum(escalationStatuses)
export const priorities = ['low', 'medium', 'high', 'urgent'] as const
export const priority = z.enum(priorities)

export const feedbackStatuses = ['open', 'in-progress', 'answered', 'closed'] as const
export const feedbackStatus = z.enum(feedbackStatuses)
export const feedbackOrigins = ['agent', 'customer', 'reviewer'] as const
export const feedbackOrigin = z.enum(feedbackOrigins)
/** A dispute asks for a change of the review and ends with an outcome. */
export const feedbackTypes = ['feedback', 'dispute'] as const
export const feedbackType = z.enum(feedbackTypes)
export const outcomes = ['accepted', 'partly', 'rejected'] as const
export const outcome = z.enum(outcomes)
/** How a dispute ended: decided, or withdrawn by the agent. */
export const endings = [...outcomes, 'withdrawn'] as const
export const ending = z.enum(endings)

const isPlain = (text: string) => !/[^\P{Cc}\n\r\t]/u.test(text) && text.isWellFormed()

/** Text of several lines; may be empty. */
export const prose = (max: number) => z.string().trim().max(max).refine(isPlain, 'Control characters are not allowed')

/** Required text of several lines. */
export const someProse = (max: number) => prose(max).min(1, 'Required')

/** Type of a source: JSON lines that others send to Innkeeper, or a help desk that Innkeeper polls. */
export const sourceTypes = ['json', 'rt', 'xmpp', 'zammad', 'chatwoot', 'freescout', 'zendesk', 'freshdesk'] as const
export const sourceType = z.enum(sourceTypes)
export type SourceType = z.output<typeof sourceType>
export const importWays = ['http', 'file', 'pull'] as const

/** A boolean. Also accepts text, as in queries. */
export const flag = z.union([z.boolean(), z.stringbool()])

/** A day: 2026-11-23. */
export const day = z.iso.date()

export const position = z.int().min(0).max(10_000)
