/**
 * The unit that loads one of Innkeeper's tables before the network is up, and again whenever nftables.service restarts,
 * which empties the kernel's tables. `load`: the command; `folder`: the folder of the files that the command reads.
 */
export const nftUnit = (
  description: string,
  folder: string,
  load: string,
) => `# Written by Innkeeper. Changes are overwritten.
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
