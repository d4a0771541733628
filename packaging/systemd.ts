/** What all units share. V8 compiles to memory that it then executes, so that MemoryDenyWriteExecute cannot be set. */
const shared = `Type=notify
# systemd-notify, a child of node, sends the message
NotifyAccess=all
User=innkeeper
Group=innkeeper
Environment=NODE_ENV=production MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 INNKEEPER_DATA=/var/lib/innkeeper INNKEEPER_DRAIN_SECONDS=3 INNKEEPER_STOP_SECONDS=80
Environment=INNKEEPER_KEY_FILE=%d/innkeeper.key
EnvironmentFile=/etc/innkeeper/innkeeper.env
LoadCredential=innkeeper.key:/etc/innkeeper/innkeeper.key
StateDirectory=innkeeper
StateDirectoryMode=0700
CacheDirectory=innkeeper
UMask=0077
Restart=on-failure
RestartSec=2
# migrations of big tables and a database that is away take their time
TimeoutStartSec=infinity
TimeoutStopSec=90
KillMode=mixed
LimitNOFILE=65536

# ports below 1024 and nothing else
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
ProcSubset=pid
# AF_NETLINK lists the addresses of this machine
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# the proof of a backup runs at a lower priority
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM`

const node =
  '/usr/lib/innkeeper/node --max-semi-space-size=8 --heap-growing-percent=30 /usr/lib/innkeeper/server/main.js'

const unit = (description: string, role: string, more = '', install = 'multi-user.target') => `[Unit]
Description=${description}
Documentation=file:///usr/share/doc/innkeeper/operators/README.md
Wants=network-online.target
After=network-online.target postgresql.service
ConditionPathExists=/etc/innkeeper/innkeeper.key

[Service]
ExecStart=${node} --role=${role}
${shared}
${more}
[Install]
WantedBy=${install}
`

export const unitFiles = {
  'innkeeper-api@.service': unit(
    'Innkeeper, API node %i',
    'api',
    '# a second node on this machine has its own ports there\nEnvironmentFile=-/etc/innkeeper/api-%i.env\n',
  ),
  'innkeeper-worker.service': unit(
    'Innkeeper, worker',
    'worker',
    'Environment=INNKEEPER_WORKER_PORT=4404 INNKEEPER_DRAIN_SECONDS=0\n',
  ),
  'innkeeper-single.service': unit('Innkeeper, one process with the embedded database', 'api,worker'),
} as const

export const sysusers = 'u innkeeper - "Innkeeper" /var/lib/innkeeper\n'

export const tmpfiles = `d /etc/innkeeper 0750 root innkeeper
d /var/lib/innkeeper 0700 innkeeper innkeeper
`

/** The settings file of a new installation: all names, with what they mean in docs/operators/settings.md. */
export const environmentExample = `# Settings of Innkeeper. innkeeper setup fills in what it asks for; every setting is explained in
# /usr/share/doc/innkeeper/operators/settings.md. After a change: systemctl restart 'innkeeper-*'
#DATABASE_URL=
#DATABASE_OWNER_URL=
#DATABASE_REPLICA_URL=
#INNKEEPER_PUBLIC_HOST=
#PORT=
#HOST=
#INNKEEPER_HTTP_PORT=
#INNKEEPER_CERTIFICATE=
#INNKEEPER_CERTIFICATE_KEY=
#INNKEEPER_TRUST_PROXY=
#INNKEEPER_AGENT_HOST=
#INNKEEPER_AGENT_PORT=
#INNKEEPER_PREVIEW_PORT=
#INNKEEPER_METRICS_TOKEN=
`
