/** Commands that the front passes on. pure-ftpd knows more, such as other ways to open data connections. */
const passed = new Set([
  ...['USER', 'PASS', 'ACCT', 'QUIT', 'NOOP', 'SYST', 'FEAT', 'OPTS', 'CLNT', 'HELP', 'SITE', 'STAT', 'ABOR', 'REST'],
  ...['PWD', 'XPWD', 'CWD', 'XCWD', 'CDUP', 'XCUP', 'MKD', 'XMKD', 'RMD', 'XRMD', 'DELE', 'RNFR', 'RNTO', 'ALLO'],
  ...['TYPE', 'MODE', 'STRU', 'SIZE', 'MDTM', 'MFMT', 'LIST', 'NLST', 'MLST', 'MLSD', 'RETR', 'STOR', 'STOU', 'APPE'],
  ...['PRET', 'PASV', 'EPSV', 'PBSZ', 'PROT'],
])
const refused: Record<string, string> = {
  PORT: '500 Active mode is not possible here: use passive mode (PASV or EPSV).',
  EPRT: '500 Active mode is not possible here: use passive mode (PASV or EPSV).',
  AUTH: '503 This connection is encrypted already.',
  CCC: '533 Commands without encryption are refused.',
}

export interface Command {
  verb: string
  argument: string
}

/** Reads the command of a client's line, without the telnet codes that some clients send before ABOR. */
export function commandIn(line: string): Command {
  const [, verb = '', argument = ''] = /^(?:\xff[\xf0-\xff])*([A-Za-z]{3,4})(?: (.*))?$/.exec(line) ?? []
  return { verb: verb.toUpperCase(), argument }
}

/** The front's own answer to a command that pure-ftpd must not get; undefined for the others. */
export function refusalOf({ verb, argument }: Command, at: { signedIn: boolean; ipv6: boolean }): string | undefined {
  if (!passed.has(verb)) return refused[verb] ?? '500 Unknown command.'
  if (verb === 'PROT' && argument.toUpperCase() !== 'P')
    return '534 Data connections without encryption are refused: use PROT P.'
  if (verb === 'PASV' && at.ipv6) return '522 PASV is for IPv4: use EPSV.'
  if (at.signedIn && (verb === 'USER' || verb === 'PASS')) return '503 You are signed in already.'
  return undefined
}

/** The line for pure-ftpd, which the front reaches by IPv4 whatever the client uses. */
export function lineOf({ verb, argument }: Command): string {
  if (verb === 'PROT') return 'PROT P'
  if (verb === 'EPSV' && /^\d*$/.test(argument)) return 'EPSV'
  return argument ? `${verb} ${argument}` : verb
}

/** The port in pure-ftpd's answer to PASV or EPSV. */
export function portIn(answer: string): number | undefined {
  const [, high, low, extended] = /^227 .*\(\d+,\d+,\d+,\d+,(\d+),(\d+)\)|^229 .*\(\|\|\|(\d+)\|\)/.exec(answer) ?? []
  return extended ? Number(extended) : high ? Number(high) * 256 + Number(low) : undefined
}

/** The same answer with a port of the front. `address` is the IPv4 address that the client connected to. */
export const passiveAnswer = (answer: string, address: string, port: number): string =>
  answer.startsWith('227')
    ? `227 Entering Passive Mode (${address.replaceAll('.', ',')},${port >> 8},${port & 255})`
    : `229 Extended Passive mode OK (|||${port}|)`
