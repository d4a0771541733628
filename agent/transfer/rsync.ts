/**
 * Both ends of rsync run as the account that owns the folder: it can read and write nothing that its owner could not, and
 * a folder that is swapped for a symlink meanwhile leads it nowhere. Whose the files are follows from that, and so the
 * numbers of source and destination need not be the same. Links stay links; names are bytes.
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

/** The one program that may stand for a remote shell here: it says what rsync asked for, then joins its ends to ours. */
const shell = `sh -c 'exec 5<&0; echo "$*" >&4; cat <&5 >&4 & exec cat <&3' rsync`

export const modes = {
  seed: ['--partial', '--info=progress2', '--stats'],
  /** What the other side no longer has goes here too: only where nobody writes there any more. */
  delta: ['--partial', '--delete', '--info=progress2', '--stats'],
  /** Once more what differs: a file that was written while it was read may have kept its size, and its time of the same tick. */
  mend: ['--partial', '--delete', '--checksum', '--info=progress2', '--stats'],
  /** Both ends read all of every file; each difference is a line. */
  verify: ['--dry-run', '--checksum', '--delete', '--itemize-changes', '--stats'],
} as const

/** What the destination runs: rsync as a client, whose peer is what `shell` joins it to. */
export const client = (mode: keyof typeof modes, path: string): [string, ...string[]] => [
  'rsync',
  ...alike,
  ...modes[mode],
  '--no-human-readable',
  '--timeout=120',
  '--blocking-io', // else what joins the ends is handed a pipe that refuses when it is full, and dies of that
  '--stderr=client', // what the source has to say is for people at this end too
  '--rsh',
  shell,
  'source:.',
  `${path}/`,
]

/** What a client of ours says besides short options. Which of those, and what follows the `e`, goes by its version. */
const long = new Set(['--numeric-ids', '--specials', '--timeout=120', '--no-msgs2stderr'])
const short = /^-[nlHtpAXrc]{1,12}e\d{0,2}\.[a-zA-Z]{0,24}$/

/**
 * What the source runs for a client: its options, which both ends' protocol goes by, where each is one that ours send,
 * and a path that the client did not choose. Undefined: it is not a client of ours.
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
