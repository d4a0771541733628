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

/** Replaces the remote shell: writes rsync's arguments to the transport, then connects stdin and stdout to it. */
const shell = `sh -c 'exec 5<&0; echo "$*" >&4; cat <&5 >&4 & exec cat <&3' rsync`

export const modes = {
  seed: ['--partial', '--info=progress2', '--stats'],
  /** Also deletes files that the source lacks, so use it only once nobody writes there. */
  delta: ['--partial', '--delete', '--info=progress2', '--stats'],
  /** Compares by checksum: a file that changed while it was read may have the same size and time. */
  mend: ['--partial', '--delete', '--checksum', '--info=progress2', '--stats'],
  /** Both ends read every file completely; prints one line per difference. */
  verify: ['--dry-run', '--checksum', '--delete', '--itemize-changes', '--stats'],
} as const

/** The rsync client of the destination, whose peer is behind `shell`. */
export const client = (mode: keyof typeof modes, path: string): [string, ...string[]] => [
  'rsync',
  ...alike,
  ...modes[mode],
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
const short = /^-[nlHtpAXrc]{1,12}e\d{0,2}\.[a-zA-Z]{0,24}$/

/**
 * The rsync command of the source: the client's options if our clients send them, because both ends' protocol depends
 * on them, and a path that the client did not choose. Undefined for any other client.
 */
export function sender(asked: string, path: string): [string, ...string[]] | undefined {
  const [host, program, server, send, ...rest] = asked.split(' ')
  const [dot, place] = rest.slice(-2)
  const options = rest.slice(0, -2)
  const own = host === 'source' && program === 'rsync' && server === '--server' && send === '--sender'
  if (!own || dot !== '.' || place !== '.') return undefined
  const good = options.every((option) => long.has(option) || short.test(option))
  return good ? ['rsync', '--server', '--sender', ...options, '.', `${path}/`] : undefined
}
