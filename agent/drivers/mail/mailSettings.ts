/** The paths where Thunderbird and compatible mail programs look for the settings of a domain. */
export const settingsPaths = ['/mail/config-v1.1.xml', '/.well-known/autoconfig/mail/config-v1.1.xml'] as const

const incoming = { imap: 993, pop3: 995 } as const

/** The settings for Thunderbird, which replaces `%EMAILADDRESS%` by the user's address. One line, without single quotes. */
export function settingsText(domain: string): string {
  const server = (kind: 'incoming' | 'outgoing', type: string, port: number, socket: 'SSL' | 'STARTTLS') =>
    `<${kind}Server type="${type}"><hostname>mail.${domain}</hostname><port>${port}</port>` +
    `<socketType>${socket}</socketType><authentication>password-cleartext</authentication>` +
    `<username>%EMAILADDRESS%</username></${kind}Server>`
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<clientConfig version="1.1"><emailProvider id="${domain}"><domain>${domain}</domain>` +
    `<displayName>${domain}</displayName><displayShortName>${domain}</displayShortName>` +
    server('incoming', 'imap', incoming.imap, 'SSL') +
    server('incoming', 'pop3', incoming.pop3, 'SSL') +
    server('outgoing', 'smtp', 465, 'SSL') +
    server('outgoing', 'smtp', 587, 'STARTTLS') +
    '</emailProvider></clientConfig>'
  )
}

/** The settings for Outlook. Without a login name, Outlook would sign in with the part before the @, which fails here. */
export function outlookText(host: string, login: string): string {
  const schema = 'http://schemas.microsoft.com/exchange/autodiscover'
  const protocol = (type: string, port: number) =>
    `<Protocol><Type>${type}</Type><Server>${host}</Server><Port>${port}</Port><DomainRequired>off</DomainRequired>` +
    `<LoginName>${login}</LoginName><SPA>off</SPA><SSL>on</SSL><AuthRequired>on</AuthRequired></Protocol>`
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Autodiscover xmlns="${schema}/responseschema/2006">` +
    `<Response xmlns="${schema}/outlook/responseschema/2006a"><Account><AccountType>email</AccountType>` +
    `<Action>settings</Action>${protocol('IMAP', incoming.imap)}${protocol('POP3', incoming.pop3)}` +
    `${protocol('SMTP', 465)}</Account></Response></Autodiscover>`
  )
}
