import { ownCertificate, ownKey, passwd, siteWebServers, sockets, transferLog, userDatabase } from './ftpPlaces.ts'

const written = '# Written by Innkeeper. Changes are overwritten.\n'

/** pure-ftpd's settings. The first method of sign-in that decides wins, so the gate comes before the passwords. */
export const settings = (plain: boolean) => `${written}Daemonize no
ChrootEveryone yes
NoAnonymous yes
ExtAuth ${sockets.gate}
PureDB ${userDatabase}
ExtCert ${sockets.certificates}
TLS ${plain ? 1 : 3}
CertFileAndKey ${ownCertificate} ${ownKey}
TLSCipherSuite HIGH
MinUID 1000
Umask 133:022
MaxClientsNumber 200
MaxClientsPerIP 20
MaxIdleTime 15
MaxDiskUsage 97
LimitRecursion 10000 8
PassivePortRange 40110 40999
DontResolve yes
AllowUserFXP no
AllowAnonymousFXP no
CustomerProof yes
SyslogFacility ftp
AltLog stats:${transferLog}
`

/** One unit for each daemon. pure-ftpd must not outlive the gate: without the gate, nobody signs in. */
export const units = {
  ftp: `${written}[Unit]
Description=FTP for websites
After=network.target innkeeper-ftp-gate.service innkeeper-ftp-certificates.service
Requires=innkeeper-ftp-gate.service innkeeper-ftp-certificates.service

[Service]
ExecStart=/usr/sbin/pure-ftpd /etc/innkeeper/ftp/pure-ftpd.conf
RuntimeDirectory=pure-ftpd
RuntimeDirectoryPreserve=yes
LogsDirectory=innkeeper-ftp
LogsDirectoryMode=0750
ProtectSystem=full
PrivateTmp=yes
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
`,
  gate: helper('Checks of FTP sign-ins', 'pure-authd', sockets.gate, 'gate'),
  certificates: helper('Certificates of FTP', 'pure-certd', sockets.certificates, 'certificates'),
}

function helper(what: string, program: string, socket: string, script: string): string {
  return `${written}[Unit]
Description=${what}

[Service]
ExecStart=/usr/sbin/${program} -s ${socket} -r /etc/innkeeper/ftp/${script}
RuntimeDirectory=innkeeper-ftp-${script}
RuntimeDirectoryMode=0700
ProtectSystem=full
PrivateTmp=yes
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
`
}

/**
 * Runs at each sign-in before the password is checked. Refuses an unknown, closed or expired login, and a folder with a
 * symlink in its path, which the account may have made since.
 */
export const gateScript = `#!/bin/sh
${written}set -f
refuse() { printf 'auth_ok:-1\\nend\\n'; exit 0; }
case $AUTHD_ACCOUNT in '' | *[!a-z0-9_-]*) refuse ;; esac
line=$(grep -m 1 -e "^$AUTHD_ACCOUNT:" ${passwd}) || refuse
IFS=: read -r name hash uid gid about home rest <<END
$line
END
case $hash in '$6$'*) ;; *) refuse ;; esac
expires=\${about#* }
[ "$expires" -eq 0 ] || [ "$(date +%s)" -lt "$expires" ] || refuse
path=
IFS=/
for part in \${home#/}; do
  path=$path/$part
  if [ -h "$path" ] || [ ! -d "$path" ]; then refuse; fi
done
[ "$(stat -c %u -- "$path")" = "$uid" ] || refuse
printf 'auth_ok:0\\nend\\n'
`

/** Answers the certificate of the website that the client asked for, else that of the server. */
export const certificateScript = `#!/bin/sh
${written}name=$CERTD_SNI_NAME
case $name in '' | *[!a-z0-9.-]* | .*) name= ;; esac
if [ -n "$name" ]; then
  for folder in ${siteWebServers.map(({ folder }) => `${folder}/tls`).join(' ')}; do
    keys=$(grep -m 1 -o '/etc/innkeeper/tls/[0-9a-f]\\{64\\}' "$folder/$name.conf" 2>/dev/null) || continue
    printf 'action:fallback\\ncert_file:%s/chain.pem\\nkey_file:%s/key.pem\\nend\\n' "$keys" "$keys"
    exit 0
  done
fi
printf 'action:default\\nend\\n'
`

export const rotation = `${written}${transferLog} {
  daily
  rotate 14
  missingok
  notifempty
  compress
  delaycompress
  dateext
  copytruncate
}
`
