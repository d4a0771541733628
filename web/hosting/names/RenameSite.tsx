import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Stack } from '@mantine/core'
import { attempt } from '../../kit/api/attempt.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Wizard } from '../../kit/form/Wizard.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { WhatWillRun } from '../../kit/workflow/WhatWillRun.tsx'
import { domains } from './acts.ts'
import { namesApi } from './api.ts'
import { NewName } from './NewName.tsx'
import { RenameDatabases } from './RenameDatabases.tsx'
import { RenameFiles } from './RenameFiles.tsx'
import { useRename } from './useRename.ts'

interface Props {
  website: WebsiteRow
  close: () => void
}

/** Renames a website: affected objects, files with the old name, and the plan. */
export default function RenameSite({ website, close }: Props) {
  const rename = useRename(website)
  const { wanted, set, plan, ready } = rename
  const { busy, run } = useAct()
  const finish = () =>
    run(async () => {
      const { id, domain, version } = website
      const isChanged = wanted.databases || Boolean(plan?.network)
      const closes = isChanged && website.status === 'active'
      const sure = await confirmByName({
        title: `Rename ${domain} to ${wanted.newDomain}?`,
        name: domain,
        verb: 'Rename website',
        goes: [
          `${domain} ${wanted.keepDays ? `answers 301 to ${wanted.newDomain} for ${wanted.keepDays} days` : 'answers no more'}`,
          `Its folder and its logs are called ${wanted.newDomain}`,
          ...(wanted.files.length ? [`${wanted.files.length} of its files get ${wanted.newDomain}`] : []),
          ...(isChanged ? [`Its databases get ${wanted.newDomain}; the former values are kept`] : []),
          ...(closes ? ['Visitors see the maintenance page while the databases change'] : []),
        ],
        stays: closes
          ? 'Both names show the website before. A rename that fails while visitors see the maintenance page rolls back by itself.'
          : 'Both names show the website until the old one redirects. A failed rename can be rolled back.',
      })
      if (!sure) return
      const begun = await attempt(() => namesApi.rename({ id, version, ...wanted }), domains)
      if (!begun) return
      toast.info(`Renaming ${domain} to ${wanted.newDomain}`)
      close()
    })
  return (
    <Dialog opened onClose={close} title={`Rename ${website.domain}`} size={760}>
      <Wizard
        busy={busy}
        onCancel={close}
        onFinish={finish}
        steps={[
          {
            title: 'New name',
            done: ready,
            wanting: wanted.newDomain ? undefined : 'Still needed: the new name',
            content: <NewName website={website} rename={rename} />,
          },
          {
            title: 'Files and databases',
            done: ready,
            content: ready && (
              <Stack gap={14}>
                <RenameFiles website={website} rename={rename} />
                <RenameDatabases website={website} rename={rename} />
              </Stack>
            ),
          },
          {
            title: 'Actions',
            done: ready,
            content: (
              <WhatWillRun
                actions={plan?.actions ?? []}
                left={wanted.excludeActions}
                onChange={(excludeActions) => set({ excludeActions })}
              />
            ),
          },
        ]}
      />
    </Dialog>
  )
}
