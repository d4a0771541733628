interface Hourly {
  own: number
  together: number
}
export interface MailLimits {
  accounts: (Hourly & { accountId: number; username?: string | undefined; ownerId?: number | undefined })[]
  others: Hourly
  /** Absent: a control plane of an earlier version. */
  domains?: { domain: string; ownerId?: number | undefined }[] | undefined
}

/** The file of the usual limits of a mail server. Its hash tells whether the server has them. */
export const limitLines = ({ accounts, others, domains }: MailLimits): string =>
  [
    ...accounts.map(({ accountId, own, together, username, ownerId }) =>
      [
        ...[`account-${accountId}`, own, together, ...(username || ownerId ? [username ?? '-'] : [])],
        ...(ownerId ? [`owner-${ownerId}`] : []),
      ].join(' '),
    ),
    `* ${others.own} ${others.together}`,
    ...(domains ? ['owners'] : []),
    ...(domains ?? []).map(({ domain, ownerId }) => `@${domain} ${ownerId ? `owner-${ownerId}` : '-'}`),
  ]
    .map((line) => `${line}\n`)
    .join('')
