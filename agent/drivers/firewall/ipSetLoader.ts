import { ensureDirectory, replace } from '../../kit/host.ts'
import { setFolder } from './ipSetFile.ts'
import { nftUnit } from './nftUnit.ts'

/** A table of Innkeeper's own: it contains no foreign rules, and no other table contains Innkeeper's. */
export const table = 'inet innkeeper'

export const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`
/**
 * Script that loads the table and all entries that have not ended from the files into the kernel, in one transaction.
 * systemd runs the script at boot, before the network and without the agent; the agent runs it when the kernel differs
 * from the files.
 */
const loader = `#!/bin/sh
# Written by Innkeeper. Changes are overwritten.
set -eu
umask 077
cd ${setFolder}
now=$(date +%s)
{
  cat table.nft
  for file in sets/*; do
    case $file in *.new|'sets/*') continue ;; esac
    awk -v now="$now" -v set="\${file#sets/}" '
      function tell(name) {
        if (many[name]) print "add element ${table} " name " { " text[name] " }"
        many[name] = 0
        text[name] = ""
      }
      function entry(first, last, addresses, until,  name, left) {
        if (until != 0 && until <= now) return
        name = set "_v" (addresses ~ /:/ ? 6 : 4) (first == last ? "" : "_nets")
        left = until - now
        left = until == 0 ? "" : sprintf(" timeout %dd%ds", int(left / 86400), left % 86400)
        text[name] = text[name] (many[name]++ ? ", " : "") addresses left
        if (many[name] == 500) tell(name)
      }
      # once for what was added, which has the last word, and once for what was there
      NR == FNR {
        if (cut || FNR == 1 || /^[46]/) next
        if (/^[+-] [46][0-9a-f]+ [46][0-9a-f]+ [0-9a-f.:-]+ [0-9]+$/) told[++n] = $0
        else if (/^# change [0-9]+ [0-9]+$/ && $4 == n + 0) {
          for (i = 1; i <= n; i++) there[substr(told[i], 3)] = substr(told[i], 1, 1)
          n = 0
        } else cut = 1
        next
      }
      /^[46]/ && !($0 in there) { entry($1, $2, $3, $4 + 0) }
      END {
        for (line in there) if (there[line] == "+") {
          split(line, one, " ")
          entry(one[1], one[2], one[3], one[4] + 0)
        }
        for (name in many) tell(name)
      }' "$file" "$file"
  done
} >/run/innkeeper-ip-sets.nft
nft -c -f /run/innkeeper-ip-sets.nft
nft -f /run/innkeeper-ip-sets.nft
rm /run/innkeeper-ip-sets.nft
`
export const unitText = nftUnit('IP sets of Innkeeper', setFolder, `/bin/sh ${setFolder}/load`)
/** Writes the loader before the files change, so that it can read files of this agent's version at the next boot. */
export async function keepLoader(): Promise<void> {
  await ensureDirectory(setFolder, { mode: 0o700 })
  await replace(`${setFolder}/load`, loader, { mode: 0o700 })
}
