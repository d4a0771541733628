interface Hourly {
  own: number
  together: number
}
export interface MailLimits {
  accounts: (Hourly & { accountId: number; username?: string | undefined })[]
  others: Hourly
}

/** The file of the usual limits of a mail server. Its hash tells whether the server has them. */
export const limitLines = ({ accounts, others }: MailLimits): string =>
  [
    ...accounts.map(({ accountId, own, together, username }) =>
      [`account-${accountId}`, own, together, ...(username ? [username] : [])].join(' '),
    ),
    `* ${others.own} ${others.together}`,
  ]
    .map((line) => `${line}\n`)
    .join('')
