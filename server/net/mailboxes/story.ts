import type { MailStory } from '@innkeeper/contract/net/mailboxes/mailTrace'

export interface Line {
  at: string
  by: string
  text: string
}
type Step = MailStory['steps'][number]

const cut = (text: string) => text.slice(0, 400)

/*
 * Senders word parts of the log: the id of a message, quoted names before an @, the greeting. So addresses and states are
 * read only where Postfix itself writes them, and quoted names are skipped.
 */
const sender = /^from=<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>,/
const recipient =
  /^to=<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>,(?: orig_to=<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>,)? ([^"<>()]*\bstatus=.*)$/s
const refusal =
  /^(?:NOQUEUE: )?(?:milter-)?(?:reject|hold|discard): (?:"(?:[^"\\]|\\.)*"|[^"])*?; from=<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>(?: to=<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>)? proto=/s

/** Dovecot writes the reason why it could not store a message only to its own log. */
const INTERNAL = /Internal error occurred/
const UNSTORED = '. The server could not store it, as with a full disk; it tries again by itself'

/** Steps of people who change a message in the queue, by the text that postsuper logs. */
const onQueue: Record<string, [what: string, words: string]> = {
  'placed on hold': ['Held', 'in the queue, by a person'],
  'released from hold': ['Released', 'by a person'],
  removed: ['Deleted', 'from the queue, by a person: it was not delivered, and the sender was not notified'],
}

/** A log line as a step of the story; undefined for lines without new information. */
function stepOf({ at, by, text }: Line): Step | undefined {
  const step = (what: string, words: string): Step => ({ at, what, text: cut(words) })
  if (/^client=/.test(text)) {
    const who = /, sasl_username=(\S+)/.exec(text)?.[1]
    const client = /^client=([^,]+)/.exec(text)?.[1] ?? ''
    return step('Accepted', who ? `from ${who}, who signed in from ${client}` : `from ${client}`)
  }
  if (by.endsWith('/pickup')) return step('Accepted', 'from a program on the mail server itself')
  if (text.startsWith('milter-reject:')) return step('Refused', `by the filter: ${text.slice(15)}`)
  if (text.startsWith('milter-hold:')) return step('Held', `by the filter: ${text.slice(13)}`)
  const byHand = by.endsWith('/postsuper') && onQueue[text]
  if (byHand) return step(...byHand)
  const [, to = '', asked, rest = ''] = recipient.exec(text) ?? []
  const status = /\bstatus=(\w+) \((.*)$/s.exec(rest)
  if (status) {
    const whom = asked && asked !== to ? `${asked}, as ${to}` : to
    const said = (status[2] ?? '').replace(/\)$/, '')
    if (status[1] === 'sent' && rest.startsWith('relay=innkeeper-count,')) return undefined // it goes on inside the server
    if (status[1] === 'sent' && rest.startsWith('relay=innkeeper-forward,'))
      return step('Forwarded', asked && asked !== to ? `from ${asked} to ${to}` : `to ${to}`)
    if (status[1] === 'sent')
      return by.endsWith('/lmtp') ? step('Delivered', `to the mailbox ${whom}`) : step('Sent', `to ${whom}: ${said}`)
    if (status[1] === 'bounced') return step('Bounced', `${whom}: ${said}`)
    if (status[1] === 'deferred')
      return step('Waits', `${whom}: ${said}${by.endsWith('/lmtp') && INTERNAL.test(said) ? UNSTORED : ''}`)
    if (status[1] === 'expired') return step('Given up', `${whom}: ${said}`)
  }
  if (/^sender non-delivery notification/.test(text))
    return step('Bounced', 'the sender was notified that the message was not delivered')
  if (/^(NOQUEUE: )?reject: /.test(text)) return step('Refused', reasonIn(text).replace(/^(NOQUEUE: )?reject: /, ''))
  return undefined
}

/** A refusal without its end, where Postfix repeats sender, recipient and greeting. */
function reasonIn(text: string): string {
  const [said, from] = refusal.exec(text) ?? []
  return said === undefined ? text : said.slice(0, said.lastIndexOf(`; from=<${from}>`))
}

function outcomeOf(steps: MailStory['steps'], lines: readonly Line[]): MailStory['outcome'] {
  const whats = new Set(steps.map(({ what }) => what))
  if (whats.has('Refused')) return 'refused'
  if (whats.has('Deleted')) return 'deleted'
  if (whats.has('Bounced') || whats.has('Given up')) return 'bounced'
  const isInQueue = whats.has('Waits') && !lines.some(({ text }) => text === 'removed')
  if (isInQueue) return 'waiting'
  if (whats.has('Delivered')) return 'delivered'
  if (whats.has('Sent')) return 'sent'
  return whats.has('Held') ? 'waiting' : 'unknown'
}

/**
 * Whether a message is of this domain, or for it: by the addresses that Postfix names. Anybody can write an address into the
 * id of a message or into a greeting.
 */
export const concerns = (lines: readonly Line[], domain: string): boolean =>
  lines.some(({ text }) => {
    const [, to, asked] = recipient.exec(text) ?? []
    const [, refusedFrom, refusedTo] = refusal.exec(text) ?? []
    const who = /^client=.*, sasl_username=(\S+)/.exec(text)?.[1]
    return [sender.exec(text)?.[1], to, asked, refusedFrom, refusedTo, who].some((one) =>
      one?.toLowerCase().endsWith(`@${domain}`),
    )
  })

/** The log lines of one message as a story. */
export function storyOf(id: string | null, lines: readonly Line[], leftOut = 0): MailStory {
  const steps = lines.flatMap((line) => stepOf(line) ?? [])
  const senders = lines.flatMap(({ text }) => (sender.exec(text) ?? refusal.exec(text))?.[1] ?? [])
  const to = lines.flatMap(({ text }) => recipient.exec(text)?.[1] ?? refusal.exec(text)?.[2] ?? [])
  return {
    id,
    at: lines[0]?.at ?? new Date(0).toISOString(),
    from: senders[0] ?? null,
    to: [...new Set(to)].filter(Boolean).slice(0, 50),
    outcome: outcomeOf(steps, lines),
    steps,
    leftOut,
  }
}
