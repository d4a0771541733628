/** Whether a path in a Maildir is a message: `cur/1700000000.M1P2.host,S=10:2,S`, `.Sent/new/…`. */
export const messageIn = (within: string) => /^(?:\.[^/]+\/)?(?:cur|new)\/[^/]+$/.test(within)

/** Seconds since the epoch when a message was put into its folder, as its name says. */
export function arrivalOf(within: string): number | undefined {
  const said = /(?:^|\/)(\d{9,11})\.[^/]*$/.exec(within)?.[1]
  return said === undefined ? undefined : Number(said)
}

/**
 * Whether a member of a Maildir is carried: messages, folders, and what keeps the numbers of messages, keywords and
 * subscriptions. Indexes are rebuilt, and unfinished deliveries stay behind.
 */
export const isCarried = (within: string) =>
  messageIn(within) ||
  /^(?:\.[^/]+\/)?(?:dovecot-uidlist|dovecot-keywords|maildirfolder)$/.test(within) ||
  /^(?:subscriptions|dovecot-uidvalidity(?:\.[0-9a-f]{8})?)$/.test(within)
