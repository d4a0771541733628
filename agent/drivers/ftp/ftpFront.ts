import { existsSync } from 'node:fs'
import { connect } from 'node:tls'
import { ensureBase, must, patience, places } from '../../kit/host.ts'
import { nftUnit } from '../firewall/nftUnit.ts'
import script from './front/front.ts?bundled'
import { Lines } from './front/lines.ts'
import { frontPort, loopbacks, passivePorts } from './front/places.ts'
import { folder, ownCertificate, ownKey, siteWebServers } from './ftpPlaces.ts'

const file = `${folder}/front.mjs`
export const frontUnit = 'innkeeper-ftps'
/** Node of the running release, by the link that an update of the agent replaces. */
const node = process.execPath.startsWith(`${places.home}/`) ? `${places.home}/current/node` : process.execPath
const web = siteWebServers.map((server) => `${server.folder}/tls`)

const tableFile = `${folder}/front.nft`
const tableUnit = `${frontUnit}-addresses`
const load = ['/usr/sbin/nft', '-f', tableFile] as const
const table = 'inet innkeeper_ftps'
/**
 * Only the front connects to pure-ftpd from the addresses that it uses for clients. Any other program of the server could
 * take over data connections of a client otherwise, or have the client refused.
 */
const rules = `# Written by Innkeeper. Changes are overwritten.
add table ${table}
delete table ${table}
table ${table} {
  chain addresses {
    type filter hook output priority filter; policy accept;
    ip saddr ${loopbacks} tcp dport { 21, ${passivePorts.ftp.join('-')} } meta skuid != "${frontUnit}" reject with tcp reset
  }
}
`

/** As for the agent: little memory. */
const small = ['--max-semi-space-size=2', '--heap-growing-percent=20']

/**
 * The front has a unit of its own: an update of the agent ends its sessions only if the front or Node has changed. Beyond
 * the rights of its account it may read files, for certificates, and open port 990. It does not start without the table.
 */
const unit = `# Written by Innkeeper. Changes are overwritten.
# Node ${process.version}
[Unit]
Description=FTP with TLS from the first byte, in front of pure-ftpd
After=network.target innkeeper-ftp.service ${tableUnit}.service
Wants=${tableUnit}.service
StartLimitIntervalSec=0

[Service]
Environment=MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
ExecStartPre=+${load.join(' ')}
ExecStart=${[node, ...small, file, ownCertificate, ownKey, ...web].join(' ')}
User=${frontUnit}
NoNewPrivileges=yes
StateDirectory=innkeeper-ftps
StateDirectoryMode=0700
AmbientCapabilities=CAP_NET_BIND_SERVICE CAP_DAC_READ_SEARCH
CapabilityBoundingSet=CAP_NET_BIND_SERVICE CAP_DAC_READ_SEARCH
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
LimitNOFILE=8192
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
`

/** FTP with implicit TLS on port 990; see decision 0102. */
export const front = ensureBase<'ftp.ensure'>(() => ({
  title: 'FTP on port 990',
  unit: frontUnit,
  program: process.execPath,
  files: {
    [file]: { text: script },
    [tableFile]: { text: rules },
    [`/etc/systemd/system/${tableUnit}.service`]: { text: nftUnit('Addresses of FTP', folder, load.join(' ')) },
    [`/etc/systemd/system/${frontUnit}.service`]: { text: unit },
  },
  prepare: makeReady,
  judge: ['systemctl', 'daemon-reload'],
  probe: greets,
}))

async function makeReady(): Promise<boolean> {
  if (!existsSync(load[0])) throw new Error('nftables is not installed: its package comes first')
  await must(['systemd-sysusers', '--inline', `u ${frontUnit} - "FTP on port ${frontPort}"`])
  return false
}

/** Asks as a client, with TLS from the first byte. */
async function greets(): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: frontPort, rejectUnauthorized: false, timeout: patience.silenceMs })
  let problem = 'closes the connection'
  socket.on('timeout', () => socket.destroy(new Error('does not answer')))
  socket.on('error', (error) => {
    problem = error.message
  })
  try {
    const greeting = await new Lines(socket).next()
    if (!greeting?.startsWith('220')) throw new Error(`port ${frontPort}: ${greeting ?? problem}`)
    return `port ${frontPort} admits clients with TLS only`
  } finally {
    socket.destroy()
  }
}
