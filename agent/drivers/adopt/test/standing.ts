/** A practice server. */
interface Machine {
  sh(...argv: string[]): Promise<string>
}

/** What people have set up in these folders: names, modes, owners, links and contents. Innkeeper's own files are left out. */
export const stateOf = (p: Machine, folders: string): Promise<string> =>
  p.sh(
    'sh',
    '-euc',
    `find ${folders} -xdev -not -path '*innkeeper*' -printf '%p %y %m %u %g %l\\n' | LC_ALL=C sort
    find ${folders} -xdev -type f -not -path '*innkeeper*' | LC_ALL=C sort | xargs -d '\\n' sha256sum`,
  )

/** How many visits had each status: `240 200`. The visitors write one status a line into files of `/tmp/visits.*`. */
export const visitsOf = async (p: Machine): Promise<string[]> =>
  (await p.sh('sh', '-c', 'cat /tmp/visits.* | sort | uniq -c'))
    .trim()
    .split('\n')
    .map((line) => line.trim())
