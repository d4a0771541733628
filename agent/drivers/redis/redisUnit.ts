import type { OperationInput } from '@innkeeper/contract/agent/operations'

export type Redis = Pick<OperationInput<'redis.ensure'>, 'websiteId' | 'username' | 'memoryMb' | 'state'>

export const redisProgram = '/usr/bin/redis-server'
export const unitOf = (websiteId: number) => `innkeeper-redis@${websiteId}`
/** The drop-in file with the settings of an instance. Innkeeper keeps no other state of it. */
export const dropIn = (websiteId: number) => `/etc/systemd/system/${unitOf(websiteId)}.service.d/innkeeper.conf`
export const allDropIns = '/etc/systemd/system/innkeeper-redis@*.service.d/innkeeper.conf'
export const socketOf = (websiteId: number) => `/run/innkeeper-redis/${websiteId}/redis.sock`

export const templateFile = '/etc/systemd/system/innkeeper-redis@.service'
/**
 * The unit of a Redis per website: no persistence, no port. Commands that would lift the memory limit, reach other
 * machines or load code are renamed to nothing. Runs as the website's account, so that only that account can use the
 * socket.
 */
export const template = `# Written by Innkeeper. Changes are overwritten.
[Unit]
Description=Redis cache of website %i
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=${redisProgram} --supervised systemd --daemonize no --port 0 \\
  --unixsocket /run/innkeeper-redis/%i/redis.sock --unixsocketperm 700 --dir /run/innkeeper-redis/%i \\
  --maxmemory \${MAXMEMORY} --maxmemory-policy allkeys-lru --save "" --appendonly no --logfile "" --databases 16 \\
  --rename-command CONFIG "" --rename-command MODULE "" --rename-command DEBUG "" --rename-command SHUTDOWN "" \\
  --rename-command REPLICAOF "" --rename-command SLAVEOF "" --rename-command SAVE "" --rename-command BGSAVE "" \\
  --rename-command BGREWRITEAOF ""
RuntimeDirectory=innkeeper-redis/%i
RuntimeDirectoryMode=0700
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
RestrictAddressFamilies=AF_UNIX
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
LimitNOFILE=10032
OOMPolicy=continue
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
`

/** Runs in the account's slice, so that cached data counts towards the account's memory limit. */
export const redisText = ({ username, memoryMb, state }: Redis) => `# Written by Innkeeper. Changes are overwritten.
# state: ${state}
[Service]
User=${username}
Group=${username}
Slice=innkeeper-${username}.slice
Environment=MAXMEMORY=${memoryMb}mb
MemoryMax=${2 * memoryMb + 16}M
`

/** The state in a file that redisText wrote. */
export const stateIn = (text: string) => (/^# state: suspended$/m.test(text) ? 'suspended' : 'active')
export const usernameIn = (text: string) => text.match(/^User=(\w+)$/m)?.[1] ?? ''
