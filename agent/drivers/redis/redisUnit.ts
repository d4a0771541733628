import type { OperationInput } from '@innkeeper/contract/agent'

export type Redis = Pick<OperationInput<'redis.ensure'>, 'websiteId' | 'username' | 'memoryMb' | 'state'>

export const redisProgram = '/usr/bin/redis-server'
export const unitOf = (websiteId: number) => `innkeeper-redis@${websiteId}`
/** The systemd folder of an instance's own settings; the file in it is all that is kept of it. */
export const dropIn = (websiteId: number) => `/etc/systemd/system/${unitOf(websiteId)}.service.d/innkeeper.conf`
export const allDropIns = '/etc/systemd/system/innkeeper-redis@*.service.d/innkeeper.conf'
export const socketOf = (websiteId: number) => `/run/innkeeper-redis/${websiteId}/redis.sock`

export const templateFile = '/etc/systemd/system/innkeeper-redis@.service'
/**
 * A Redis of one website: it keeps nothing on disk, listens on no port, and what would lift its limit, reach other
 * machines or load code has no name. It runs as the website's account, so that the socket is that account's alone.
 */
export const template = `# Written by Innkeeper; what is changed here is written over.
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

/** In the account's slice: what the cache holds counts towards what the account may use. */
export const redisText = ({
  username,
  memoryMb,
  state,
}: Redis) => `# Written by Innkeeper; what is changed here is written over.
# state: ${state}
[Service]
User=${username}
Group=${username}
Slice=innkeeper-${username}.slice
Environment=MAXMEMORY=${memoryMb}mb
MemoryMax=${2 * memoryMb + 16}M
`

/** What a file of ours says: it was written by redisText. */
export const stateIn = (text: string) => (/^# state: suspended$/m.test(text) ? 'suspended' : 'active')
export const usernameIn = (text: string) => text.match(/^User=(\w+)$/m)?.[1] ?? ''
