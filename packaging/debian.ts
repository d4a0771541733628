/** The day of the newest release in the changelog. */
export function changelogDay(changelog: string): string {
  const day = /^## \[\d[^\]]*\] - (\d{4}-\d{2}-\d{2})$/m.exec(changelog)?.[1]
  if (!day) throw new Error('CHANGELOG.md names no release with its day')
  return day
}

/** The changelog in Debian's form: it names the release and refers to the one for users. */
export function changelogOf(_changelog: string, version: string, epoch: number): string {
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000')
  return `innkeeper (${version}) stable; urgency=medium

  * See /usr/share/doc/innkeeper/CHANGELOG.md.gz.

 -- Innkeeper <innkeeper@localhost>  ${date}
`
}

export const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: innkeeper

Files: *
Copyright: The authors of Innkeeper
License: Apache-2.0
 On Debian systems, the full text of the license is in
 /usr/share/common-licenses/Apache-2.0. The packages whose code is inside, each
 with its licence, are listed in /usr/share/doc/innkeeper/sbom.cdx.json.
`

/**
 * The scripts of the package. An upgrade starts what runs again, API nodes one after the other: each stops taking requests
 * and ends those that run, and the first new one migrates the database.
 */
export const scripts = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  systemd-sysusers innkeeper.conf
  systemd-tmpfiles --create innkeeper.conf
  if [ ! -e /etc/innkeeper/innkeeper.env ]; then
    install -m 0640 -o root -g innkeeper /usr/share/innkeeper/innkeeper.env /etc/innkeeper/innkeeper.env
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    for unit in $(systemctl list-units --plain --no-legend --full --state=active,activating 'innkeeper-api@*.service' 'innkeeper-worker.service' 'innkeeper-single.service' | cut -d' ' -f1); do
      timeout 120 systemctl restart "$unit" || echo "$unit is not ready yet: innkeeper status says more" >&2
    done
  fi
  if [ -z "$2" ]; then echo 'Run innkeeper setup to begin.'; fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --quiet --now 'innkeeper-single.service' 'innkeeper-worker.service' || true
  for unit in $(systemctl list-units --all --plain --no-legend --full 'innkeeper-api@*.service' | cut -d' ' -f1); do
    systemctl disable --quiet --now "$unit" || true
  done
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ]; then
  rm -rf /var/cache/innkeeper
  # whoever loses the key loses every secret, also those in backups
  if [ -e /etc/innkeeper ] || [ -e /var/lib/innkeeper ]; then
    echo 'The key, the settings and the data stay in /etc/innkeeper and /var/lib/innkeeper: remove them by hand.'
  fi
fi
`,
} as const
