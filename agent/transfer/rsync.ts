/**
 * Both ends of rsync run as the account that owns the folder. Neither can reach files that the account could not, even
 * if a folder is swapped for a symlink. Files belong to that account, so source and destination may have different
 * uids. Symlinks are copied as symlinks, names as bytes.
 */
const alike = [
  '--recursive',
  '--links',
  '--perms',
  '--times',
  '--hard-links',
  '--acls',
  '--xattrs',
  '--specials',
  '--numeric-ids',
]

/** Only the files that the source lists: see `Wanted.since`. The list stays at the source, which fills in its path. */
const LIST = 'changed'
const listed = [`--files-from=:${LIST}`, '--from0']

/** Replaces the remote shell: writes rsync's arguments to the transport, then connects stdin and stdout to it. */
const shell = `sh -c 'exec 5<&0; echo "$*" >&4; cat <&5 >&4 & exec cat <&3' rsync`

export const modes = {
  seed: ['--partial', '--info=progress2', '--stats'],
  /** Also deletes files that the source lacks, so use it only once nobody writes there. */
  delta: ['--partial', '--delete', '--info=progress2', '--stats'],
  /** Compares by checksum: a file that changed while it was read may have the same size and time. */
  mend: ['--partial', '--delete', '--checksum', '--info=progress2', '--stats'],
  /** Before the freeze: both ends read every file completely, and files with another checksum are copied again. */
  compare: ['--partial', '--checksum', '--info=progress2', '--stats'],
  /** Both ends read every file completely; prints one line per difference. */
  verify: ['--dry-run', '--checksum', '--delete', '--itemize-changes', '--stats'],
  /** Compares names, sizes, times and rights of everything. */
  verifyNames: ['--dry-run', '--delete', '--itemize-changes', '--stats'],
  /** Compares the checksums of listed files. */
  verifyListed: ['--dry-run', '--checksum', '--itemize-changes', '--stats', ...listed],
  mendListed: ['--partial', '--checksum', '--info=progress2', '--stats', ...listed],
} as const

/** Leaves out Dovecot's indexes, which Dovecot rebuilds: a copy made during a write would be damaged. Copies the UID lists. */
export const mailOnly = ['--exclude=dovecot.index*', '--exclude=dovecot.list.index*', '--exclude=*.lock']

export const client = (mode: keyof typeof modes, path: string, more: readonly string[] = []): [string, ...string[]] => [
  'rsync',
  ...alike,
  ...modes[mode],
  ...more,
  '--no-human-readable',
  '--timeout=120',
  '--blocking-io', // otherwise the shell's `cat` gets a non-blocking pipe and fails when the pipe is full
  '--stderr=client', // shows the source's messages at this end
  '--rsh',
  shell,
  'source:.',
  `${path}/`,
]

/** The long options of our client. The short options, and the text after `e`, depend on its version. */
const long = new Set(['--numeric-ids', '--specials', '--timeout=120', '--no-msgs2stderr'])
const short = /^-[nlHtpAXrcR]{1,12}e\d{0,2}\.[a-zA-Z]{0,24}$/
const listOptions = ['--files-from', LIST, '--from0']

/**
 * The rsync command of the source: the client's options if our clients send them, because both ends' protocol depends
 * on them, and a path and a list that the client did not choose. Undefined for any other client.
 */
export function sender(asked: string, path: string, list?: string): [string, ...string[]] | undefined {
  const [host, program, server, send, ...rest] = asked.split(' ')
  const [dot, place] = rest.slice(-2)
  const given = rest.slice(0, -2)
  const options = list === undefined ? given : given.filter((option) => !listOptions.includes(option))
  if (given.length - options.length !== (list === undefined ? 0 : listOptions.length)) return undefined
  const own = host === 'source' && program === 'rsync' && server === '--server' && send === '--sender'
  if (!own || dot !== '.' || place !== '.') return undefined
  const good = options.every((option) => long.has(option) || short.test(option))
  const files = list === undefined ? [] : [`--files-from=${list}`, '--from0']
  return good ? ['rsync', '--server', '--sender', ...options, ...files, '.', `${path}/`] : undefined
}
