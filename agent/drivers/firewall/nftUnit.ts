/**
 * The unit that loads a table of ours before the network is up. Whoever reloads nftables.service empties the kernel of all
 * tables: ours comes back with it. `load`: a command line of ours; `folder`: where what it reads lies.
 */
export const nftUnit = (
  description: string,
  folder: string,
  load: string,
) => `# Written by Innkeeper; what is changed here is written over.
[Unit]
Description=${description}
DefaultDependencies=no
RequiresMountsFor=${folder}
Wants=network-pre.target
Before=network-pre.target shutdown.target
After=nftables.service
PartOf=nftables.service
ReloadPropagatedFrom=nftables.service
Conflicts=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${load}
ExecReload=${load}

[Install]
WantedBy=sysinit.target
`
